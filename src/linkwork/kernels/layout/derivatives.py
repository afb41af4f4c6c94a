"""Records of `linkwork.kernels.tree.derivatives`, behind the work space that all algorithms share.

One row per stage: its pose in the frame of the derivatives; inertia, momentum, Σ m ṙ rᵀ, wrench and C of what hangs on
it; its velocity and acceleration. After them, for each degree of freedom, its axis, then ψ̇, then ψ̈, then w.
"""

D_POSE, D_I, D_P, D_G, D_F, D_C, D_V, D_A = 0, 12, 22, 25, 34, 40, 58, 64
D_ROW, D_DOF = 70, 24

# Records of `linkwork.kernels.tree.adjoint`, in the same place, one row per stage: virtual motion; adjoints of
# acceleration, virtual motion, velocity and pose; world pose
B_U, B_A, B_F, B_V, B_P, B_POSE = 0, 6, 12, 18, 24, 30
ADJOINT_ROW = 42

# Records of `linkwork.kernels.closed.derivatives`, one row per degree of freedom: axis, U, 1/D and its
# root, column among those of the loops (−1: none); columns of matrices are solved for eight at a time
C_AXIS, C_U, C_R, C_COLUMN = 0, 6, 12, 14
COLUMN_ROW, COLUMNS = 15, 8
# and of the loop at hand, one row per degree of freedom of its own: eta, w_q, w_v, and which one it is
L_ETA, L_WQ, L_WV, L_DOF = 0, 6, 12, 18
LOCAL_ROW = 19
