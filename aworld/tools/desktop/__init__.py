"""A desktop behind the sandbox's door: its screen, its windows, mouse and keyboard."""
