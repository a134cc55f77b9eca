"""The commands for other minds: the relay's questions, tools and a skill for agents, report cards for models."""
