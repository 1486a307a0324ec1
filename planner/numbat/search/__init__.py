"""The Python face of the compiled core: configuration notation, registry of configurations, one search.

outcome and notation import nothing compiled; registry asks the core only when called; run needs the core.
"""
