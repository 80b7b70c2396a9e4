"""What `aworld doctor` looks at: one family of checks a file, each finding with its cure."""
