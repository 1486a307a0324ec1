/* Records from Python: dictionaries whose every field must be known here and be of the right type. */
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace numbat {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = Array<int32_t>;
using Doubles = Array<double>;
using Bytes = Array<uint8_t>;

template <class T>
std::vector<T> copy(const Array<T> &array) {
    return std::vector<T>(array.data(), array.data() + array.size());
}

/* An array that owns a list. */
template <class T>
nb::object to_numpy(std::vector<T> list) {
    auto *data = new std::vector<T>(std::move(list));
    nb::capsule owner(data, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data->data(), {data->size()}, owner));
}

class Fields {
public:
    /* `what` the record is, for messages. */
    Fields(nb::dict record, std::string what) : record_(std::move(record)), what_(std::move(what)) {}

    /* Numbers and arrays are not converted. */
    template <class T>
    T get(const char *name) {
        read_.insert(name);
        if (!record_.contains(name)) throw std::invalid_argument(what_ + ": missing " + name);
        T value;
        if (!nb::try_cast<T>(record_[name], value, false))
            throw nb::type_error((what_ + ": wrong type of " + name).c_str());
        return value;
    }
    template <class T>
    std::optional<T> get_unless_none(const char *name) {
        if (get<nb::object>(name).is_none()) return std::nullopt;
        return get<T>(name);
    }
    /* A list of records, each made by `make`. */
    template <class Make>
    auto list(const char *name, const char *what, Make make) {
        std::vector<decltype(make(std::declval<Fields &>()))> items;
        for (nb::handle item : get<nb::list>(name)) {
            Fields fields(nb::cast<nb::dict>(item), what);
            items.push_back(make(fields));
            fields.all_read();
        }
        return items;
    }

    /* Throws if the record has a field that nobody asked for. */
    void all_read() const {
        for (auto [key, value] : record_)
            if (!read_.contains(nb::cast<std::string>(key)))
                throw std::invalid_argument(what_ + ": unknown field " + nb::cast<std::string>(key));
    }

private:
    nb::dict record_;
    std::string what_;
    std::set<std::string> read_;
};

}  // namespace numbat
