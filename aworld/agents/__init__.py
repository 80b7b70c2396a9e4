"""Agents and teams: the loop an agent follows, roles, how a team passes work on, its definition.

Drives nothing itself: agents are nodes of `aworld.runtime`. May import runtime and what is below.
"""
