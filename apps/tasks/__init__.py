"""Questions with their known answers, in named sets."""
