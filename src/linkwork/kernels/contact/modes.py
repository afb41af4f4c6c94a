"""What a contact can be, and what it does: constants alone, which need no compiler."""

CONE, SLIPPING, LIMIT = 0, 1, 2  # kinds: free to stick or slip, slipping along its first tangent, one row
OPEN, STICK, SLIP = 0, 1, 2  # modes
MODES = ("open", "stick", "slip")
