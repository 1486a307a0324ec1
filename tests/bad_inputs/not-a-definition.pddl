(courier van parcel)
