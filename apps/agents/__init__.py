"""Teams of agents, and the models they talk to."""
