"""What an agent does with mouse and keyboard, in OSWorld's two action spaces."""
