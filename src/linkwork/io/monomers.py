"""What residues are made of: the bonds of amino acids, and the names of torsions.

A bond is written a-b, or a=b where it does not turn at room temperature (double bonds, amides, guanidinium).
"""

from __future__ import annotations

BACKBONE = "N-CA CA-C C-O C-OXT C-OT1 C-OT2 C-OC1 C-OC2 C-O1 C-O2"
_RING6 = "CG=CD1 CD1=CE1 CE1=CZ CZ=CE2 CE2=CD2 CD2=CG"
SIDE_CHAINS = {
    "GLY": "",
    "ALA": "CA-CB",
    "ARG": "CA-CB CB-CG CG-CD CD-NE NE=CZ CZ=NH1 CZ=NH2",
    "ASN": "CA-CB CB-CG CG-OD1 CG=ND2",
    "ASP": "CA-CB CB-CG CG-OD1 CG-OD2",
    "CYS": "CA-CB CB-SG",
    "GLN": "CA-CB CB-CG CG-CD CD-OE1 CD=NE2",
    "GLU": "CA-CB CB-CG CG-CD CD-OE1 CD-OE2",
    "HIS": "CA-CB CB-CG CG=ND1 ND1=CE1 CE1=NE2 NE2=CD2 CD2=CG",
    "ILE": "CA-CB CB-CG1 CB-CG2 CG1-CD1 CG1-CD",
    "LEU": "CA-CB CB-CG CG-CD1 CG-CD2",
    "LYS": "CA-CB CB-CG CG-CD CD-CE CE-NZ",
    "MET": "CA-CB CB-CG CG-SD SD-CE",
    "MSE": "CA-CB CB-CG CG-SE SE-CE",
    "PHE": f"CA-CB CB-CG {_RING6}",
    "PRO": "CA-CB CB-CG CG-CD CD-N",
    "SER": "CA-CB CB-OG",
    "THR": "CA-CB CB-OG1 CB-CG2",
    "TRP": "CA-CB CB-CG CG=CD1 CD1=NE1 NE1=CE2 CE2=CD2 CD2=CG CE2=CZ2 CZ2=CH2 CH2=CZ3 CZ3=CE3 CE3=CD2",
    "TYR": f"CA-CB CB-CG {_RING6} CZ-OH",
    "VAL": "CA-CB CB-CG1 CB-CG2",
}
ALIASES = {  # protonation states and terminal forms, as force fields name them
    "HID": "HIS", "HIE": "HIS", "HIP": "HIS", "HSD": "HIS", "HSE": "HIS", "HSP": "HIS", "HISA": "HIS", "HISB": "HIS",
    "HISH": "HIS", "HISD": "HIS", "HISE": "HIS", "CYX": "CYS", "CYM": "CYS", "CYS2": "CYS", "CYSH": "CYS",
    "ASH": "ASP", "GLH": "GLU", "LYN": "LYS", "LYSH": "LYS", "LSN": "LYS", "ARGN": "ARG", "HYP": "PRO",
}  # fmt: skip
OPTIONAL = {"OXT", "OT1", "OT2", "OC1", "OC2", "O1", "O2", "O"}  # not missed where they are not
WATERS = {"HOH", "WAT", "H2O", "DOD", "SOL", "TIP", "TIP3", "TIP4", "TIP5", "TP3", "SPC", "T3P", "T4P"}

CHI = {"CB": 1, "CG": 2, "CG1": 2, "OG": 2, "OG1": 2, "SG": 2, "CD": 3, "CD1": 3, "SD": 3, "SE": 3, "NE": 4, "CE": 4,
       "CZ": 5, "NZ": 5, "OD1": 3, "ND1": 3, "OE1": 4}  # fmt: skip
NUCLEIC = {("P", "O5'"): "alpha", ("O5'", "C5'"): "beta", ("C5'", "C4'"): "gamma", ("C4'", "C3'"): "delta",
           ("C3'", "O3'"): "epsilon", ("O3'", "P"): "zeta", ("C1'", "N9"): "chi", ("C1'", "N1"): "chi"}  # fmt: skip


def parsed(text: str) -> dict[tuple[str, str], bool]:
    """Bonds written as above: the two names, and whether they turn."""
    bonds = {}
    for word in text.split():
        turns = "-" in word
        a, _, b = word.partition("-" if turns else "=")
        bonds[a, b] = turns
    return bonds


def template(name: str) -> dict[tuple[str, str], bool] | None:
    """The bonds of an amino acid between its heavy atoms; None for what is none of the twenty and their variants."""
    name = ALIASES.get(name, name)
    if name not in SIDE_CHAINS and len(name) == 4 and name[0] in "NC":  # Amber's terminal forms, such as NALA
        name = ALIASES.get(name[1:], name[1:])
    if name not in SIDE_CHAINS:
        return None
    if name not in _parsed:
        _parsed[name] = parsed(BACKBONE) | parsed(SIDE_CHAINS[name])
    return _parsed[name]


def missing(name: str, present: set[str]) -> set[str]:
    """The heavy atoms that a residue lacks, to be whole."""
    atoms = {atom for pair in template(name) or {} for atom in pair} - OPTIONAL - present
    if ALIASES.get(name, name) == "ILE":  # whose last atom has two names
        return atoms - {"CD", "CD1"} if present & {"CD", "CD1"} else atoms - {"CD"}
    return atoms


_parsed: dict[str, dict[tuple[str, str], bool]] = {}
