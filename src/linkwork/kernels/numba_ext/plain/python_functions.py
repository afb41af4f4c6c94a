"""No functions that Python calls straight in compiled code."""


def matrix_kernel(algorithm, outputs, file):
    """Nothing."""


def python_function(kernel, nq, nv, long, own, *kept):
    """None: there can be no such function."""
