"""Atoms carried by bodies: where they are, and what forces on them do to joints."""
