"""From numbers to knowledge: what can be read off a grounded task before it is searched."""
