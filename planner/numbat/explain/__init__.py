"""Pages and words for people: the course of a plan (show), and why there is none (why)."""
