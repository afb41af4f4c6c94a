	.file	"<string>"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI0_0:
	.quad	0xbff0000000000000
.LCPI0_1:
	.quad	0x7fffffffffffffff
.LCPI0_2:
	.quad	0x3f50624dd2f1a9fc
.LCPI0_3:
	.quad	0x3ff0000000000000
	.section	.ltext,"axl",@progbits
	.globl	_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$40, %rsp
	movq	280(%rsp), %r10
	movq	152(%rsp), %rax
	movq	$0, 8(%rsp)
	movl	$1, %r12d
	cmpq	8(%rax), %r10
	jne	.LBB0_5
	movq	40(%rax), %rbx
	movabsq	$.LCPI0_0, %r11
	movabsq	$.LCPI0_1, %r15
	movq	336(%rsp), %rbp
	movq	272(%rsp), %r13
	vmovsd	(%r11), %xmm0
	movabsq	$.LCPI0_2, %r11
	vmovddup	(%r15), %xmm1
	movl	$9, %r15d
	vmovsd	(%r11), %xmm2
	movq	%rbx, %r14
	sarq	$63, %r14
	andnq	%rbx, %r14, %rbx
	movq	160(%rsp), %r14
	negq	%rbx
	.p2align	4
.LBB0_2:
	leaq	(%rbx,%r15), %r12
	cmpq	$9, %r12
	je	.LBB0_8
	movq	(%rax), %r12
	movq	16(%rax), %r11
	leaq	(%r12,%r12,2), %r12
	addq	%r11, %r11
	leaq	(%r11,%r12,2), %r11
	addq	%r15, %r11
	incq	%r15
	leaq	(%rax,%r11,8), %r12
	sarq	$63, %r11
	andq	%r14, %r11
	movq	(%r12,%r11,8), %r12
	vmovsd	(%r13,%r12,8), %xmm3
	vmovsd	8(%r13,%r12,8), %xmm4
	vmovsd	16(%r13,%r12,8), %xmm5
	vmovsd	24(%r13,%r12,8), %xmm6
	vfmadd213sd	%xmm0, %xmm3, %xmm3
	vfmadd231sd	%xmm4, %xmm4, %xmm3
	vfmadd231sd	%xmm5, %xmm5, %xmm3
	vfmadd231sd	%xmm6, %xmm6, %xmm3
	vandpd	%xmm1, %xmm3, %xmm3
	vucomisd	%xmm2, %xmm3
	jbe	.LBB0_2
	shlq	$4, %r12
	orq	$4, %r12
.LBB0_5:
	movq	%r12, (%rdi)
.LBB0_6:
	xorl	%eax, %eax
.LBB0_7:
	addq	$40, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB0_8:
	movq	392(%rsp), %r12
	movq	16(%rax), %r11
	movq	%rbp, %rbx
	movq	%r12, %r15
	xorq	%r11, %rbx
	xorq	%r11, %r15
	orq	%rbx, %r15
	movq	448(%rsp), %rbx
	xorq	%rbx, %r11
	orq	%r15, %r11
	jne	.LBB0_12
	movq	%rdi, 32(%rsp)
	movabsq	$.LCPI0_3, %rdi
	movq	%rsi, 24(%rsp)
	movq	$0, 16(%rsp)
	movabsq	$_ZN8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %r11
	leaq	8(%rsp), %rsi
	vmovsd	(%rdi), %xmm0
	leaq	16(%rsp), %rdi
	pushq	456(%rsp)
	pushq	%rbx
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	%r12
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	%rbp
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	%r10
	pushq	%r13
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	%r14
	pushq	%rax
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	pushq	456(%rsp)
	callq	*%r11
	addq	$368, %rsp
	testl	%eax, %eax
	jne	.LBB0_11
	movq	16(%rsp), %rcx
	movq	32(%rsp), %rax
	movq	%rcx, (%rax)
	jmp	.LBB0_6
.LBB0_12:
	movq	$1, (%rdi)
	jmp	.LBB0_6
.LBB0_11:
	movq	8(%rsp), %rdx
	movq	24(%rsp), %rcx
	movq	%rdx, (%rcx)
	jmp	.LBB0_7
.Lfunc_end0:
	.size	_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end0-_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE

	.globl	_ZN7cpython8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN7cpython8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN7cpython8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$840, %rsp
	.cfi_def_cfa_offset 896
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	leaq	288(%rsp), %r10
	movq	%rsi, %rdi
	leaq	296(%rsp), %r11
	leaq	304(%rsp), %rbx
	leaq	312(%rsp), %r14
	leaq	320(%rsp), %r15
	leaq	328(%rsp), %r12
	movabsq	$.const.rnea, %rsi
	movabsq	$PyArg_UnpackTuple, %r13
	leaq	344(%rsp), %r8
	leaq	336(%rsp), %r9
	movl	$8, %edx
	movl	$8, %ecx
	xorl	%eax, %eax
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	callq	*%r13
	addq	$48, %rsp
	.cfi_adjust_cfa_offset -48
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 352(%rsp)
	vmovups	%ymm0, 376(%rsp)
	movq	$0, (%rsp)
	movq	$0, 16(%rsp)
	testl	%eax, %eax
	je	.LBB1_1
	movabsq	$_ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %rax
	cmpq	$0, (%rax)
	je	.LBB1_4
	movq	344(%rsp), %rdi
	movabsq	$numba_adapt_ndarray, %rax
	leaq	736(%rsp), %rsi
	vmovups	%ymm0, 736(%rsp)
	vmovups	%ymm0, 760(%rsp)
	movq	%rax, %r14
	vzeroupper
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 760(%rsp)
	jne	.LBB1_8
	movq	736(%rsp), %rax
	movq	336(%rsp), %rdi
	movq	744(%rsp), %r12
	movq	752(%rsp), %rbx
	movq	768(%rsp), %r15
	movq	776(%rsp), %rbp
	movq	784(%rsp), %r13
	leaq	672(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 672(%rsp)
	vmovups	%ymm0, 696(%rsp)
	movq	%rax, 280(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 696(%rsp)
	jne	.LBB1_8
	movq	672(%rsp), %rax
	movq	680(%rsp), %rdx
	movq	688(%rsp), %rcx
	movq	328(%rsp), %rdi
	leaq	608(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 608(%rsp)
	vmovups	%ymm0, 632(%rsp)
	movq	%rax, 272(%rsp)
	movq	%rdx, 264(%rsp)
	movq	%rcx, 256(%rsp)
	movq	704(%rsp), %rdx
	movq	712(%rsp), %rcx
	movq	720(%rsp), %rax
	movq	%rdx, 248(%rsp)
	movq	%rcx, 240(%rsp)
	movq	%rax, 232(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 632(%rsp)
	jne	.LBB1_8
	movq	616(%rsp), %rcx
	movq	624(%rsp), %rdx
	movq	608(%rsp), %rax
	movq	320(%rsp), %rdi
	movq	%r13, 224(%rsp)
	movq	%rcx, 208(%rsp)
	movq	640(%rsp), %rcx
	movq	%rdx, 200(%rsp)
	movq	648(%rsp), %rdx
	movq	%rax, 216(%rsp)
	movabsq	$PyNumber_Long, %rax
	movq	%rcx, 192(%rsp)
	movq	656(%rsp), %rcx
	movq	%rdx, 184(%rsp)
	movq	%rcx, 176(%rsp)
	callq	*%rax
	testq	%rax, %rax
	je	.LBB1_14
	movq	%rax, %r13
	movabsq	$PyLong_AsLongLong, %rax
	movq	%r13, %rdi
	callq	*%rax
	movq	%rax, 8(%rsp)
	movabsq	$Py_DecRef, %rax
	movq	%r13, %rdi
	callq	*%rax
	movabsq	$PyErr_Occurred, %rax
	callq	*%rax
	testq	%rax, %rax
	jne	.LBB1_1
.LBB1_17:
	movq	312(%rsp), %rdi
	leaq	544(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 544(%rsp)
	vmovups	%ymm0, 568(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 568(%rsp)
	jne	.LBB1_8
	movq	552(%rsp), %rax
	movq	560(%rsp), %rcx
	movq	576(%rsp), %rdx
	movq	304(%rsp), %rdi
	movq	544(%rsp), %r13
	leaq	480(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 480(%rsp)
	vmovups	%ymm0, 504(%rsp)
	movq	%rax, 168(%rsp)
	movq	%rcx, 160(%rsp)
	movq	584(%rsp), %rcx
	movq	592(%rsp), %rax
	movq	%rdx, 152(%rsp)
	movq	%rcx, 144(%rsp)
	movq	%rax, 136(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 504(%rsp)
	jne	.LBB1_8
	movq	480(%rsp), %rax
	movq	488(%rsp), %rdx
	movq	496(%rsp), %rcx
	movq	296(%rsp), %rdi
	leaq	416(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 416(%rsp)
	vmovups	%ymm0, 440(%rsp)
	movq	%rax, 128(%rsp)
	movq	%rdx, 120(%rsp)
	movq	%rcx, 112(%rsp)
	movq	512(%rsp), %rdx
	movq	520(%rsp), %rcx
	movq	528(%rsp), %rax
	movq	%rdx, 104(%rsp)
	movq	%rcx, 96(%rsp)
	movq	%rax, 88(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 440(%rsp)
	jne	.LBB1_8
	movq	416(%rsp), %rax
	movq	288(%rsp), %rdi
	movq	%r13, 56(%rsp)
	movq	%rbp, 64(%rsp)
	movq	%r15, 72(%rsp)
	movq	%rbx, 80(%rsp)
	movq	432(%rsp), %r15
	movq	448(%rsp), %r13
	movq	456(%rsp), %rbx
	movq	464(%rsp), %rbp
	leaq	352(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 352(%rsp)
	vmovups	%ymm0, 376(%rsp)
	movq	%rax, 48(%rsp)
	movq	424(%rsp), %rax
	movq	%rax, 40(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB1_8
	cmpq	$8, 376(%rsp)
	jne	.LBB1_8
	vmovaps	352(%rsp), %xmm0
	vmovaps	384(%rsp), %xmm1
	movq	%r12, 24(%rsp)
	movq	368(%rsp), %r12
	movq	400(%rsp), %r14
	movabsq	$PyEval_SaveThread, %rax
	vmovaps	%xmm0, 816(%rsp)
	vmovaps	%xmm1, 800(%rsp)
	callq	*%rax
	movq	%rax, 32(%rsp)
	movq	$0, (%rsp)
	subq	$368, %rsp
	.cfi_adjust_cfa_offset 368
	vmovaps	1168(%rsp), %xmm0
	movq	%r14, 360(%rsp)
	leaq	368(%rsp), %rdi
	leaq	384(%rsp), %rsi
	movl	$8, %r9d
	vmovups	%xmm0, 344(%rsp)
	movq	%r12, 328(%rsp)
	vmovaps	1184(%rsp), %xmm0
	vmovups	%xmm0, 312(%rsp)
	movq	%rbp, 304(%rsp)
	movq	%rbx, 296(%rsp)
	movq	%r13, 288(%rsp)
	movq	%r15, 272(%rsp)
	movq	$8, 336(%rsp)
	movq	$8, 280(%rsp)
	movq	$8, 224(%rsp)
	movq	$8, 168(%rsp)
	movq	$8, 104(%rsp)
	movq	$8, 48(%rsp)
	movq	416(%rsp), %rcx
	movq	456(%rsp), %rdx
	movq	408(%rsp), %rax
	movq	448(%rsp), %r8
	movq	%rcx, 256(%rsp)
	movq	464(%rsp), %rcx
	movq	%rdx, 248(%rsp)
	movq	472(%rsp), %rdx
	movq	%rax, 264(%rsp)
	movabsq	$_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %rax
	movq	%rcx, 240(%rsp)
	movq	480(%rsp), %rcx
	movq	%rdx, 232(%rsp)
	movq	488(%rsp), %rdx
	movq	%rcx, 216(%rsp)
	movq	496(%rsp), %rcx
	movq	%rdx, 208(%rsp)
	movq	504(%rsp), %rdx
	movq	%rcx, 200(%rsp)
	movq	512(%rsp), %rcx
	movq	%rdx, 192(%rsp)
	movq	520(%rsp), %rdx
	movq	%rcx, 184(%rsp)
	movq	528(%rsp), %rcx
	movq	%rdx, 176(%rsp)
	movq	536(%rsp), %rdx
	movq	%rcx, 160(%rsp)
	movq	424(%rsp), %rcx
	movq	%rdx, 152(%rsp)
	movq	376(%rsp), %rdx
	movq	%rcx, 144(%rsp)
	movq	544(%rsp), %rcx
	movq	%rdx, 136(%rsp)
	movq	552(%rsp), %rdx
	movq	%rcx, 128(%rsp)
	movq	560(%rsp), %rcx
	movq	%rdx, 120(%rsp)
	movq	568(%rsp), %rdx
	movq	%rcx, 112(%rsp)
	movq	576(%rsp), %rcx
	movq	%rdx, 96(%rsp)
	movq	584(%rsp), %rdx
	movq	%rcx, 88(%rsp)
	movq	600(%rsp), %rcx
	movq	%rdx, 80(%rsp)
	movq	608(%rsp), %rdx
	movq	%rcx, 72(%rsp)
	movq	616(%rsp), %rcx
	movq	%rdx, 64(%rsp)
	movq	624(%rsp), %rdx
	movq	%rcx, 56(%rsp)
	movq	632(%rsp), %rcx
	movq	%rdx, 40(%rsp)
	movq	640(%rsp), %rdx
	movq	%rcx, 32(%rsp)
	movq	592(%rsp), %rcx
	movq	%rdx, 24(%rsp)
	movq	432(%rsp), %rdx
	movq	%rcx, 16(%rsp)
	movq	440(%rsp), %rcx
	movq	%rdx, 8(%rsp)
	movq	648(%rsp), %rdx
	movq	%rcx, (%rsp)
	movq	392(%rsp), %rcx
	callq	*%rax
	addq	$368, %rsp
	.cfi_adjust_cfa_offset -368
	movq	32(%rsp), %rdi
	movq	16(%rsp), %r15
	movq	(%rsp), %r14
	movl	%eax, %ebx
	movabsq	$PyEval_RestoreThread, %rax
	callq	*%rax
	testl	%ebx, %ebx
	jne	.LBB1_26
	movabsq	$PyLong_FromLongLong, %rax
	movq	%r14, %rdi
	callq	*%rax
.LBB1_2:
	addq	$840, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	vzeroupper
	retq
.LBB1_8:
	.cfi_def_cfa_offset 896
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
.LBB1_5:
	movabsq	$PyErr_SetString, %rax
	vzeroupper
	callq	*%rax
.LBB1_1:
	xorl	%eax, %eax
	jmp	.LBB1_2
.LBB1_26:
	jle	.LBB1_30
	movabsq	$PyErr_Clear, %rax
	callq	*%rax
	movl	8(%r15), %esi
	movq	(%r15), %rdi
	cmpl	$0, 32(%r15)
	jle	.LBB1_33
	movslq	%esi, %rsi
	movabsq	$PyBytes_FromStringAndSize, %rax
	callq	*%rax
	movq	16(%r15), %rdi
	movq	%rax, %rbx
	callq	*24(%r15)
	testq	%rax, %rax
	je	.LBB1_29
	movabsq	$numba_runtime_build_excinfo_struct, %rcx
	movq	%rbx, %rdi
	movq	%rax, %rsi
	callq	*%rcx
	jmp	.LBB1_34
.LBB1_4:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE", %rsi
	jmp	.LBB1_5
.LBB1_14:
	movq	$0, 8(%rsp)
	movabsq	$PyErr_Occurred, %rax
	callq	*%rax
	testq	%rax, %rax
	je	.LBB1_17
	jmp	.LBB1_1
.LBB1_30:
	cmpl	$-3, %ebx
	je	.LBB1_36
	cmpl	$-1, %ebx
	je	.LBB1_1
	movabsq	$PyExc_SystemError, %rdi
	movabsq	$".const.unknown error when calling native function", %rsi
	jmp	.LBB1_5
.LBB1_33:
	movq	16(%r15), %rdx
	movabsq	$numba_unpickle, %rax
	callq	*%rax
.LBB1_34:
	testq	%rax, %rax
	je	.LBB1_1
	movabsq	$numba_do_raise, %rcx
	movq	%rax, %rdi
	callq	*%rcx
	jmp	.LBB1_1
.LBB1_36:
	movabsq	$PyExc_StopIteration, %rdi
	movabsq	$PyErr_SetNone, %rax
	callq	*%rax
	jmp	.LBB1_1
.LBB1_29:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.Error creating Python tuple from runtime exception arguments", %rsi
	jmp	.LBB1_5
.Lfunc_end1:
	.size	_ZN7cpython8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end1-_ZN7cpython8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.cfi_endproc

	.globl	cfunc._ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	cfunc._ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
cfunc._ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%r15
	.cfi_def_cfa_offset 16
	pushq	%r14
	.cfi_def_cfa_offset 24
	pushq	%rbx
	.cfi_def_cfa_offset 32
	subq	$400, %rsp
	.cfi_def_cfa_offset 432
	.cfi_offset %rbx, -32
	.cfi_offset %r14, -24
	.cfi_offset %r15, -16
	vmovups	440(%rsp), %ymm0
	vmovups	472(%rsp), %xmm1
	vmovups	496(%rsp), %ymm2
	vmovaps	528(%rsp), %xmm3
	vmovups	552(%rsp), %zmm4
	vmovups	616(%rsp), %ymm5
	vmovups	648(%rsp), %xmm6
	vmovups	672(%rsp), %ymm7
	vmovaps	704(%rsp), %xmm8
	vmovups	728(%rsp), %ymm9
	vmovups	760(%rsp), %xmm10
	movq	%rcx, %r10
	movq	%rdx, %rax
	movq	%rsi, %rcx
	movq	%rdi, %rdx
	movq	776(%rsp), %r15
	movq	432(%rsp), %rsi
	movq	488(%rsp), %rdi
	movq	544(%rsp), %r11
	movq	664(%rsp), %rbx
	movq	720(%rsp), %r14
	movq	$0, 392(%rsp)
	movq	$0, 384(%rsp)
	movq	%r15, 360(%rsp)
	vmovups	%xmm10, 344(%rsp)
	vmovups	%ymm9, 312(%rsp)
	movq	%r14, 304(%rsp)
	vmovups	%xmm8, 288(%rsp)
	vmovups	%ymm7, 256(%rsp)
	movq	%rbx, 248(%rsp)
	vmovups	%xmm6, 232(%rsp)
	vmovups	%ymm5, 200(%rsp)
	vmovups	%zmm4, 136(%rsp)
	movq	%r11, 128(%rsp)
	vmovups	%xmm3, 112(%rsp)
	vmovups	%ymm2, 80(%rsp)
	movq	%rdi, 72(%rsp)
	vmovups	%xmm1, 56(%rsp)
	vmovups	%ymm0, 24(%rsp)
	movq	%rsi, 16(%rsp)
	movabsq	$_ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %r11
	leaq	392(%rsp), %rdi
	leaq	384(%rsp), %rsi
	movq	%r9, 8(%rsp)
	movq	%r8, (%rsp)
	movq	%rax, %r8
	movq	%r10, %r9
	vzeroupper
	callq	*%r11
	movl	%eax, %ecx
	movq	384(%rsp), %r15
	movq	392(%rsp), %rax
	movl	$0, 380(%rsp)
	testl	%ecx, %ecx
	jne	.LBB2_1
.LBB2_7:
	addq	$400, %rsp
	.cfi_def_cfa_offset 32
	popq	%rbx
	.cfi_def_cfa_offset 24
	popq	%r14
	.cfi_def_cfa_offset 16
	popq	%r15
	.cfi_def_cfa_offset 8
	retq
.LBB2_1:
	.cfi_def_cfa_offset 432
	movq	%rax, %r14
	movabsq	$numba_gil_ensure, %rax
	leaq	380(%rsp), %rdi
	movl	%ecx, %ebx
	callq	*%rax
	testl	%ebx, %ebx
	jle	.LBB2_8
	movabsq	$PyErr_Clear, %rax
	callq	*%rax
	movl	8(%r15), %esi
	movq	(%r15), %rdi
	cmpl	$0, 32(%r15)
	jle	.LBB2_11
	movslq	%esi, %rsi
	movabsq	$PyBytes_FromStringAndSize, %rax
	callq	*%rax
	movq	16(%r15), %rdi
	movq	%rax, %rbx
	callq	*24(%r15)
	testq	%rax, %rax
	je	.LBB2_4
	movabsq	$numba_runtime_build_excinfo_struct, %rcx
	movq	%rbx, %rdi
	movq	%rax, %rsi
	callq	*%rcx
	jmp	.LBB2_12
.LBB2_8:
	movl	%ebx, %eax
	cmpl	$-3, %ebx
	je	.LBB2_5
	cmpl	$-1, %eax
	je	.LBB2_6
	movabsq	$PyExc_SystemError, %rdi
	movabsq	$".const.unknown error when calling native function.2", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB2_6
.LBB2_11:
	movq	16(%r15), %rdx
	movabsq	$numba_unpickle, %rax
	callq	*%rax
.LBB2_12:
	testq	%rax, %rax
	je	.LBB2_6
	movabsq	$numba_do_raise, %rcx
	movq	%rax, %rdi
	callq	*%rcx
.LBB2_6:
	movabsq	$".const.<numba.core.cpu.CPUContext>", %rdi
	movabsq	$PyUnicode_FromString, %rax
	callq	*%rax
	movabsq	$PyErr_WriteUnraisable, %r15
	movq	%rax, %rbx
	movq	%rbx, %rdi
	callq	*%r15
	movabsq	$Py_DecRef, %rax
	movq	%rbx, %rdi
	callq	*%rax
	movabsq	$numba_gil_release, %rax
	leaq	380(%rsp), %rdi
	callq	*%rax
	movq	%r14, %rax
	jmp	.LBB2_7
.LBB2_5:
	movabsq	$PyExc_StopIteration, %rdi
	movabsq	$PyErr_SetNone, %rax
	callq	*%rax
	jmp	.LBB2_6
.LBB2_4:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.Error creating Python tuple from runtime exception arguments.1", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	xorl	%eax, %eax
	jmp	.LBB2_7
.Lfunc_end2:
	.size	cfunc._ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end2-cfunc._ZN8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.cfi_endproc

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI3_0:
	.quad	0x8000000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$184, %rsp
	movq	296(%rsp), %r15
	movq	584(%rsp), %r10
	movq	528(%rsp), %r11
	movq	%r9, 16(%rsp)
	movq	%r8, 56(%rsp)
	movq	%rdi, %r14
	movq	(%r15), %r12
	testq	%r12, %r12
	jle	.LBB3_44
	movq	304(%rsp), %rax
	movq	352(%rsp), %rbx
	movq	%r14, 48(%rsp)
	movq	%rcx, %r13
	movq	%rdx, %rbp
	movq	%rsi, 40(%rsp)
	vmovapd	%xmm0, 64(%rsp)
	xorl	%r14d, %r14d
	xorl	%r15d, %r15d
	movq	%rax, 8(%rsp)
	.p2align	4
.LBB3_2:
	subq	$8, %rsp
	movq	304(%rsp), %rax
	movq	64(%rsp), %r8
	movq	24(%rsp), %r9
	leaq	96(%rsp), %rdi
	leaq	88(%rsp), %rsi
	movq	%rbp, %rdx
	movq	%r13, %rcx
	pushq	80(%rax,%r14)
	pushq	448(%rsp)
	pushq	448(%rsp)
	pushq	448(%rsp)
	pushq	448(%rsp)
	pushq	448(%rsp)
	pushq	448(%rsp)
	pushq	448(%rsp)
	pushq	72(%rax,%r14)
	pushq	%r15
	pushq	344(%rsp)
	pushq	344(%rsp)
	pushq	344(%rsp)
	movabsq	$_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx, %rax
	vzeroupper
	callq	*%rax
	addq	$112, %rsp
	testl	%eax, %eax
	jne	.LBB3_7
	vmovupd	152(%rsp), %ymm0
	vmovupd	88(%rsp), %zmm1
	incq	%r15
	vmovupd	%zmm1, (%rbx,%r14,8)
	vmovupd	%ymm0, 64(%rbx,%r14,8)
	addq	$48, %r14
	cmpq	%r15, %r12
	jne	.LBB3_2
	movabsq	$.LCPI3_0, %rax
	vmovapd	64(%rsp), %xmm0
	movq	48(%rsp), %r14
	movq	296(%rsp), %r15
	movq	528(%rsp), %r11
	movq	240(%rsp), %r13
	movq	472(%rsp), %rbp
	movabsq	$.LJTI3_1, %rcx
	movabsq	$.LJTI3_0, %rdx
	movq	%r12, %rsi
	vxorpd	(%rax){1to2}, %xmm0, %xmm0
	xorl	%eax, %eax
	vmovapd	%xmm0, 16(%rsp)
	jmp	.LBB3_5
	.p2align	4
.LBB3_8:
	vmovsd	%xmm4, 144(%rbx,%rax,8)
	vmovsd	%xmm5, 152(%rbx,%rax,8)
	vmovsd	%xmm6, 160(%rbx,%rax,8)
	vmovsd	%xmm11, 168(%rbx,%rax,8)
	vmovsd	%xmm9, 176(%rbx,%rax,8)
	vmovsd	%xmm3, 184(%rbx,%rax,8)
	addq	$48, %rax
	decq	%rsi
	je	.LBB3_9
.LBB3_5:
	movq	64(%r15,%rax), %rdi
	testq	%rdi, %rdi
	js	.LBB3_6
	leaq	(%rdi,%rdi,2), %rdi
	shlq	$7, %rdi
	vmovsd	96(%rbx,%rdi), %xmm4
	vmovsd	104(%rbx,%rdi), %xmm2
	vmovsd	112(%rbx,%rdi), %xmm1
	vmovsd	120(%rbx,%rdi), %xmm25
	vmovsd	128(%rbx,%rdi), %xmm26
	vmovsd	136(%rbx,%rdi), %xmm3
	vmovsd	192(%rbx,%rdi), %xmm9
	vmovsd	200(%rbx,%rdi), %xmm8
	vmovsd	208(%rbx,%rdi), %xmm7
	vmovsd	216(%rbx,%rdi), %xmm13
	vmovsd	224(%rbx,%rdi), %xmm14
	vmovsd	232(%rbx,%rdi), %xmm10
	jmp	.LBB3_18
	.p2align	4
.LBB3_6:
	vmovapd	16(%rsp), %xmm0
	vxorpd	%xmm3, %xmm3, %xmm3
	vxorpd	%xmm26, %xmm26, %xmm26
	vxorpd	%xmm25, %xmm25, %xmm25
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm4, %xmm4, %xmm4
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm14, %xmm14, %xmm14
	vxorpd	%xmm13, %xmm13, %xmm13
	vmulsd	(%r13), %xmm0, %xmm9
	vmulsd	8(%r13), %xmm0, %xmm8
	vmulsd	16(%r13), %xmm0, %xmm7
.LBB3_18:
	vmovsd	80(%rbx,%rax,8), %xmm11
	vmovsd	88(%rbx,%rax,8), %xmm24
	vmovsd	72(%rbx,%rax,8), %xmm12
	vmovsd	48(%rbx,%rax,8), %xmm23
	vmovsd	56(%rbx,%rax,8), %xmm22
	vmovsd	64(%rbx,%rax,8), %xmm20
	vmovsd	24(%rbx,%rax,8), %xmm21
	vmovsd	32(%rbx,%rax,8), %xmm19
	vmovsd	40(%rbx,%rax,8), %xmm17
	vmovsd	(%rbx,%rax,8), %xmm18
	vmovsd	8(%rbx,%rax,8), %xmm16
	vmovsd	16(%rbx,%rax,8), %xmm15
	movq	72(%r15,%rax), %r8
	movq	88(%r15,%rax), %rdi
	leaq	-1(%r8), %r9
	vmulsd	%xmm3, %xmm11, %xmm5
	vfmsub231sd	%xmm24, %xmm26, %xmm5
	vaddsd	%xmm5, %xmm4, %xmm27
	vmulsd	%xmm24, %xmm25, %xmm4
	vfmsub231sd	%xmm12, %xmm3, %xmm4
	vaddsd	%xmm4, %xmm2, %xmm2
	vmulsd	%xmm12, %xmm26, %xmm4
	vfmsub231sd	%xmm11, %xmm25, %xmm4
	vaddsd	%xmm4, %xmm1, %xmm1
	vmulsd	%xmm23, %xmm1, %xmm4
	vmulsd	%xmm22, %xmm1, %xmm5
	vmulsd	%xmm20, %xmm1, %xmm6
	vmulsd	%xmm23, %xmm3, %xmm1
	vfmadd231sd	%xmm21, %xmm2, %xmm4
	vfmadd231sd	%xmm19, %xmm2, %xmm5
	vfmadd231sd	%xmm2, %xmm17, %xmm6
	vmulsd	%xmm22, %xmm3, %xmm2
	vmulsd	%xmm20, %xmm3, %xmm3
	vfmadd231sd	%xmm21, %xmm26, %xmm1
	vfmadd231sd	%xmm19, %xmm26, %xmm2
	vfmadd231sd	%xmm26, %xmm17, %xmm3
	vfmadd231sd	%xmm18, %xmm27, %xmm4
	vfmadd231sd	%xmm16, %xmm27, %xmm5
	vfmadd231sd	%xmm27, %xmm15, %xmm6
	vfmadd231sd	%xmm18, %xmm25, %xmm1
	vfmadd231sd	%xmm16, %xmm25, %xmm2
	vfmadd231sd	%xmm25, %xmm15, %xmm3
	cmpq	$4, %r9
	ja	.LBB3_25
	jmpq	*(%rdx,%r9,8)
.LBB3_20:
	vaddsd	(%rbp,%rdi,8), %xmm3, %xmm3
	jmp	.LBB3_25
.LBB3_24:
	vaddsd	(%rbp,%rdi,8), %xmm4, %xmm4
	vaddsd	8(%rbp,%rdi,8), %xmm5, %xmm5
	vaddsd	16(%rbp,%rdi,8), %xmm6, %xmm6
	vaddsd	24(%rbp,%rdi,8), %xmm1, %xmm1
	vaddsd	32(%rbp,%rdi,8), %xmm2, %xmm2
	vaddsd	40(%rbp,%rdi,8), %xmm3, %xmm3
	jmp	.LBB3_25
.LBB3_21:
	vaddsd	(%rbp,%rdi,8), %xmm4, %xmm4
	vaddsd	8(%rbp,%rdi,8), %xmm5, %xmm5
	vaddsd	16(%rbp,%rdi,8), %xmm3, %xmm3
	jmp	.LBB3_25
.LBB3_23:
	vaddsd	(%rbp,%rdi,8), %xmm1, %xmm1
	vaddsd	8(%rbp,%rdi,8), %xmm2, %xmm2
	vaddsd	16(%rbp,%rdi,8), %xmm3, %xmm3
	jmp	.LBB3_25
.LBB3_22:
	vmovsd	(%rbp,%rdi,8), %xmm25
	vfmadd231sd	208(%r13,%rax,4), %xmm25, %xmm6
	vfmadd231sd	216(%r13,%rax,4), %xmm25, %xmm3
	.p2align	4
.LBB3_25:
	vmulsd	%xmm11, %xmm10, %xmm25
	vfmsub231sd	%xmm24, %xmm14, %xmm25
	vaddsd	%xmm25, %xmm9, %xmm25
	vmulsd	%xmm24, %xmm13, %xmm9
	vfmsub231sd	%xmm12, %xmm10, %xmm9
	vaddsd	%xmm9, %xmm8, %xmm8
	vmulsd	%xmm12, %xmm14, %xmm9
	vfmsub231sd	%xmm11, %xmm13, %xmm9
	vaddsd	%xmm7, %xmm9, %xmm7
	vmulsd	%xmm23, %xmm7, %xmm9
	vmulsd	%xmm22, %xmm7, %xmm11
	vmulsd	%xmm20, %xmm7, %xmm12
	vmulsd	%xmm23, %xmm10, %xmm7
	vfmadd231sd	%xmm21, %xmm8, %xmm9
	vfmadd231sd	%xmm19, %xmm8, %xmm11
	vfmadd231sd	%xmm8, %xmm17, %xmm12
	vmulsd	%xmm22, %xmm10, %xmm8
	vmulsd	%xmm20, %xmm10, %xmm10
	vfmadd231sd	%xmm21, %xmm14, %xmm7
	vfmadd231sd	%xmm19, %xmm14, %xmm8
	vfmadd231sd	%xmm17, %xmm14, %xmm10
	vfmadd231sd	%xmm18, %xmm25, %xmm9
	vfmadd231sd	%xmm16, %xmm25, %xmm11
	vfmadd231sd	%xmm25, %xmm15, %xmm12
	vfmadd231sd	%xmm18, %xmm13, %xmm7
	vfmadd231sd	%xmm16, %xmm13, %xmm8
	vfmadd231sd	%xmm15, %xmm13, %xmm10
	vxorpd	%xmm13, %xmm13, %xmm13
	cmpq	$5, %r8
	ja	.LBB3_26
	jmpq	*(%rcx,%r8,8)
.LBB3_28:
	vaddsd	(%r11,%rdi,8), %xmm10, %xmm10
	vmovsd	(%rbp,%rdi,8), %xmm13
	vfmadd231sd	%xmm5, %xmm13, %xmm9
	vfnmadd231sd	%xmm4, %xmm13, %xmm11
	vfmadd231sd	%xmm2, %xmm13, %xmm7
	vfnmadd231sd	%xmm13, %xmm1, %xmm8
	jmp	.LBB3_34
.LBB3_31:
	vaddsd	(%r11,%rdi,8), %xmm7, %xmm7
	vaddsd	8(%r11,%rdi,8), %xmm8, %xmm8
	vaddsd	16(%r11,%rdi,8), %xmm10, %xmm10
	vmovsd	(%rbp,%rdi,8), %xmm13
	vmovsd	8(%rbp,%rdi,8), %xmm15
	vmovsd	16(%rbp,%rdi,8), %xmm14
	vxorpd	%xmm16, %xmm16, %xmm16
	vxorpd	%xmm17, %xmm17, %xmm17
	vxorpd	%xmm18, %xmm18, %xmm18
	jmp	.LBB3_33
.LBB3_30:
	vmovsd	(%r11,%rdi,8), %xmm14
	vmovsd	208(%r13,%rax,4), %xmm15
	vmovsd	216(%r13,%rax,4), %xmm16
	vxorpd	%xmm17, %xmm17, %xmm17
	vfmadd231sd	%xmm14, %xmm15, %xmm12
	vfmadd231sd	%xmm14, %xmm16, %xmm10
	vmovsd	(%rbp,%rdi,8), %xmm14
	vmulsd	%xmm15, %xmm14, %xmm18
	vmulsd	%xmm16, %xmm14, %xmm14
	vxorpd	%xmm16, %xmm16, %xmm16
	vxorpd	%xmm15, %xmm15, %xmm15
	jmp	.LBB3_33
.LBB3_29:
	vaddsd	(%r11,%rdi,8), %xmm9, %xmm9
	vaddsd	8(%r11,%rdi,8), %xmm11, %xmm11
	vaddsd	16(%r11,%rdi,8), %xmm10, %xmm10
	vmovsd	(%rbp,%rdi,8), %xmm16
	vmovsd	8(%rbp,%rdi,8), %xmm17
	vmovsd	16(%rbp,%rdi,8), %xmm14
	vxorpd	%xmm18, %xmm18, %xmm18
	vxorpd	%xmm15, %xmm15, %xmm15
	jmp	.LBB3_33
.LBB3_32:
	vaddsd	(%r11,%rdi,8), %xmm9, %xmm9
	vaddsd	8(%r11,%rdi,8), %xmm11, %xmm11
	vaddsd	16(%r11,%rdi,8), %xmm12, %xmm12
	vaddsd	24(%r11,%rdi,8), %xmm7, %xmm7
	vaddsd	32(%r11,%rdi,8), %xmm8, %xmm8
	vaddsd	40(%r11,%rdi,8), %xmm10, %xmm10
	vmovsd	(%rbp,%rdi,8), %xmm16
	vmovsd	8(%rbp,%rdi,8), %xmm17
	vmovsd	16(%rbp,%rdi,8), %xmm18
	vmovsd	24(%rbp,%rdi,8), %xmm13
	vmovsd	32(%rbp,%rdi,8), %xmm15
	vmovsd	40(%rbp,%rdi,8), %xmm14
	jmp	.LBB3_33
.LBB3_26:
	vxorpd	%xmm16, %xmm16, %xmm16
	vxorpd	%xmm17, %xmm17, %xmm17
	vxorpd	%xmm18, %xmm18, %xmm18
	vxorpd	%xmm15, %xmm15, %xmm15
	vxorpd	%xmm14, %xmm14, %xmm14
	.p2align	4
.LBB3_33:
	vfmadd231sd	%xmm2, %xmm18, %xmm9
	vfmadd231sd	%xmm3, %xmm16, %xmm11
	vfmadd231sd	%xmm17, %xmm1, %xmm12
	vmulsd	%xmm3, %xmm17, %xmm19
	vmulsd	%xmm1, %xmm18, %xmm18
	vmulsd	%xmm2, %xmm16, %xmm16
	vfmsub231sd	%xmm15, %xmm3, %xmm7
	vfmadd231sd	%xmm3, %xmm13, %xmm8
	vfmsub231sd	%xmm13, %xmm2, %xmm10
	vfnmsub231sd	%xmm6, %xmm15, %xmm19
	vfnmsub231sd	%xmm4, %xmm14, %xmm18
	vfnmsub231sd	%xmm5, %xmm13, %xmm16
	vfmadd231sd	%xmm5, %xmm14, %xmm9
	vfmadd231sd	%xmm6, %xmm13, %xmm11
	vfmadd231sd	%xmm4, %xmm15, %xmm12
	vfmsub231sd	%xmm2, %xmm14, %xmm7
	vfnmadd231sd	%xmm14, %xmm1, %xmm8
	vfmsub231sd	%xmm15, %xmm1, %xmm10
	vaddsd	%xmm19, %xmm9, %xmm9
	vaddsd	%xmm18, %xmm11, %xmm11
	vaddsd	%xmm16, %xmm12, %xmm12
.LBB3_34:
	vmovsd	%xmm4, 96(%rbx,%rax,8)
	vmovsd	%xmm5, 104(%rbx,%rax,8)
	vmovsd	%xmm6, 112(%rbx,%rax,8)
	vmovsd	%xmm1, 120(%rbx,%rax,8)
	vmovsd	%xmm2, 128(%rbx,%rax,8)
	vmovsd	%xmm3, 136(%rbx,%rax,8)
	vmovsd	%xmm9, 192(%rbx,%rax,8)
	vmovsd	%xmm11, 200(%rbx,%rax,8)
	vmovsd	%xmm12, 208(%rbx,%rax,8)
	vmovsd	%xmm7, 216(%rbx,%rax,8)
	vmovsd	%xmm8, 224(%rbx,%rax,8)
	vmovsd	%xmm10, 232(%rbx,%rax,8)
	vmulsd	%xmm4, %xmm2, %xmm0
	vmulsd	%xmm5, %xmm3, %xmm30
	vmulsd	%xmm6, %xmm1, %xmm31
	cmpq	$0, 376(%rsp)
	vmovsd	136(%r13,%rax,4), %xmm13
	vmovsd	144(%r13,%rax,4), %xmm17
	vmovsd	176(%r13,%rax,4), %xmm15
	vmovsd	152(%r13,%rax,4), %xmm18
	vmovsd	192(%r13,%rax,4), %xmm16
	vmovsd	128(%r13,%rax,4), %xmm23
	vmovsd	200(%r13,%rax,4), %xmm14
	vmovsd	168(%r13,%rax,4), %xmm19
	vmovsd	160(%r13,%rax,4), %xmm21
	vmovsd	184(%r13,%rax,4), %xmm20
	vfmsub231sd	%xmm5, %xmm1, %xmm0
	vfmsub231sd	%xmm6, %xmm2, %xmm30
	vfmsub231sd	%xmm4, %xmm3, %xmm31
	vaddsd	%xmm0, %xmm12, %xmm0
	vmulsd	%xmm3, %xmm17, %xmm22
	vmulsd	%xmm2, %xmm13, %xmm26
	vmulsd	%xmm1, %xmm15, %xmm29
	vmulsd	%xmm1, %xmm18, %xmm24
	vmulsd	%xmm11, %xmm23, %xmm25
	vfnmadd231sd	%xmm2, %xmm18, %xmm22
	vfnmadd231sd	%xmm1, %xmm17, %xmm26
	vfmadd231sd	%xmm2, %xmm16, %xmm29
	vfnmadd231sd	%xmm3, %xmm13, %xmm24
	vfmadd231sd	%xmm10, %xmm13, %xmm25
	vfmsub231sd	%xmm4, %xmm23, %xmm22
	vmulsd	%xmm17, %xmm10, %xmm4
	vfmsub231sd	%xmm6, %xmm23, %xmm26
	vmulsd	%xmm13, %xmm8, %xmm6
	vfmadd231sd	%xmm3, %xmm14, %xmm29
	vfmsub231sd	%xmm5, %xmm23, %xmm24
	vfnmadd231sd	%xmm18, %xmm7, %xmm25
	vfnmadd231sd	%xmm23, %xmm12, %xmm6
	vfnmadd231sd	%xmm9, %xmm23, %xmm4
	vaddsd	%xmm30, %xmm9, %xmm23
	vmulsd	%xmm0, %xmm13, %xmm9
	vaddsd	%xmm31, %xmm11, %xmm12
	vmulsd	%xmm3, %xmm24, %xmm27
	vmulsd	%xmm2, %xmm22, %xmm28
	vfnmsub231sd	%xmm29, %xmm1, %xmm9
	vmulsd	%xmm12, %xmm18, %xmm11
	vfmsub231sd	%xmm2, %xmm26, %xmm27
	vmulsd	%xmm1, %xmm26, %xmm26
	vfmsub231sd	%xmm24, %xmm1, %xmm28
	vmulsd	%xmm1, %xmm21, %xmm24
	vfmsub231sd	%xmm8, %xmm18, %xmm4
	vfmsub231sd	%xmm7, %xmm17, %xmm6
	vfmadd231sd	%xmm18, %xmm23, %xmm9
	vfmsub231sd	%xmm3, %xmm22, %xmm26
	vmulsd	%xmm1, %xmm19, %xmm22
	vfmadd231sd	%xmm2, %xmm19, %xmm24
	vaddsd	%xmm27, %xmm4, %xmm4
	vaddsd	%xmm28, %xmm6, %xmm6
	vfmadd231sd	%xmm2, %xmm20, %xmm22
	vfmadd231sd	%xmm19, %xmm7, %xmm9
	vfmadd231sd	%xmm3, %xmm15, %xmm24
	vaddsd	%xmm26, %xmm25, %xmm5
	vfmadd231sd	%xmm3, %xmm16, %xmm22
	vfmadd231sd	%xmm20, %xmm8, %xmm9
	vfnmsub231sd	%xmm3, %xmm22, %xmm11
	vfmadd231sd	%xmm10, %xmm16, %xmm9
	vfmadd231sd	%xmm0, %xmm17, %xmm11
	vfmadd231sd	%xmm3, %xmm24, %xmm9
	vmulsd	%xmm23, %xmm17, %xmm3
	vfnmsub231sd	%xmm24, %xmm2, %xmm3
	vfmadd231sd	%xmm21, %xmm7, %xmm11
	vfmadd231sd	%xmm12, %xmm13, %xmm3
	vfmadd231sd	%xmm8, %xmm19, %xmm11
	vfmadd231sd	%xmm7, %xmm15, %xmm3
	vfmadd231sd	%xmm10, %xmm15, %xmm11
	vfmadd231sd	%xmm8, %xmm16, %xmm3
	vfmadd231sd	%xmm2, %xmm29, %xmm11
	vfmadd231sd	%xmm10, %xmm14, %xmm3
	vfmadd231sd	%xmm22, %xmm1, %xmm3
	je	.LBB3_8
	movq	(%r15), %rdi
	leaq	(%rdi,%rdi,2), %rdi
	shlq	$7, %rdi
	addq	%rbx, %rdi
	vsubsd	(%rax,%rdi), %xmm4, %xmm4
	vsubsd	8(%rax,%rdi), %xmm5, %xmm5
	vsubsd	16(%rax,%rdi), %xmm6, %xmm6
	vsubsd	24(%rax,%rdi), %xmm11, %xmm11
	vsubsd	32(%rax,%rdi), %xmm9, %xmm9
	vsubsd	40(%rax,%rdi), %xmm3, %xmm3
	jmp	.LBB3_8
.LBB3_9:
	movq	584(%rsp), %r10
	shlq	$3, 8(%rsp)
	movq	%r12, %rcx
	shlq	$4, %rcx
	movabsq	$9223372036854775804, %rax
	leaq	40(%r15), %rdx
	movabsq	$.LJTI3_2, %rsi
	leaq	(%rcx,%rcx,2), %rcx
	addq	$4, %rax
	jmp	.LBB3_10
	.p2align	4
.LBB3_43:
	decq	%r12
	addq	$-48, %rcx
	leaq	1(%r12), %rdi
	cmpq	$1, %rdi
	jbe	.LBB3_45
.LBB3_10:
	cmpq	%rax, %r12
	movl	$0, %r8d
	vmovsd	-240(%rbx,%rcx,8), %xmm5
	vmovsd	-232(%rbx,%rcx,8), %xmm4
	vmovsd	-224(%rbx,%rcx,8), %xmm3
	vmovsd	-216(%rbx,%rcx,8), %xmm2
	vmovsd	-208(%rbx,%rcx,8), %xmm1
	vmovsd	-200(%rbx,%rcx,8), %xmm0
	cmovaq	8(%rsp), %r8
	addq	%rdx, %r8
	movq	-16(%rcx,%r8), %r9
	movq	-24(%rcx,%r8), %rdi
	decq	%r9
	cmpq	$4, %r9
	ja	.LBB3_41
	movq	(%rcx,%r8), %r8
	jmpq	*(%rsi,%r9,8)
.LBB3_36:
	vmovsd	%xmm0, (%r10,%r8,8)
	testq	%rdi, %rdi
	jns	.LBB3_42
	jmp	.LBB3_43
.LBB3_40:
	vmovsd	%xmm5, (%r10,%r8,8)
	vmovsd	%xmm4, 8(%r10,%r8,8)
	vmovsd	%xmm3, 16(%r10,%r8,8)
	vmovsd	%xmm2, 24(%r10,%r8,8)
	vmovsd	%xmm1, 32(%r10,%r8,8)
	vmovsd	%xmm0, 40(%r10,%r8,8)
	testq	%rdi, %rdi
	jns	.LBB3_42
	jmp	.LBB3_43
.LBB3_38:
	vmovsd	%xmm5, (%r10,%r8,8)
	vmovsd	%xmm4, 8(%r10,%r8,8)
	vmovsd	%xmm0, 16(%r10,%r8,8)
	testq	%rdi, %rdi
	jns	.LBB3_42
	jmp	.LBB3_43
.LBB3_39:
	vmovsd	%xmm2, (%r10,%r8,8)
	vmovsd	%xmm1, 8(%r10,%r8,8)
	vmovsd	%xmm0, 16(%r10,%r8,8)
	.p2align	4
.LBB3_41:
	testq	%rdi, %rdi
	js	.LBB3_43
.LBB3_42:
	vmovsd	-384(%rbx,%rcx,8), %xmm6
	vmovsd	-360(%rbx,%rcx,8), %xmm9
	vmovsd	-336(%rbx,%rcx,8), %xmm12
	vmovsd	-376(%rbx,%rcx,8), %xmm7
	vmovsd	-352(%rbx,%rcx,8), %xmm10
	vmovsd	-328(%rbx,%rcx,8), %xmm13
	vmovsd	-368(%rbx,%rcx,8), %xmm8
	vmovsd	-344(%rbx,%rcx,8), %xmm11
	vmovsd	-320(%rbx,%rcx,8), %xmm14
	leaq	(%rdi,%rdi,2), %rdi
	vmovsd	-312(%rbx,%rcx,8), %xmm15
	vmovsd	-304(%rbx,%rcx,8), %xmm16
	vmovsd	-296(%rbx,%rcx,8), %xmm17
	shlq	$7, %rdi
	vmulsd	%xmm5, %xmm6, %xmm18
	vmulsd	%xmm5, %xmm9, %xmm19
	vmulsd	%xmm5, %xmm12, %xmm5
	vfmadd231sd	%xmm4, %xmm7, %xmm18
	vfmadd231sd	%xmm4, %xmm10, %xmm19
	vfmadd231sd	%xmm4, %xmm13, %xmm5
	vmulsd	%xmm2, %xmm9, %xmm4
	vfmadd231sd	%xmm10, %xmm1, %xmm4
	vfmadd231sd	%xmm3, %xmm11, %xmm19
	vfmadd231sd	%xmm3, %xmm8, %xmm18
	vfmadd231sd	%xmm3, %xmm14, %xmm5
	vmulsd	%xmm2, %xmm6, %xmm3
	vmulsd	%xmm2, %xmm12, %xmm2
	vaddsd	144(%rbx,%rdi), %xmm18, %xmm6
	vaddsd	152(%rbx,%rdi), %xmm19, %xmm9
	vaddsd	160(%rbx,%rdi), %xmm5, %xmm12
	vfmadd231sd	%xmm7, %xmm1, %xmm3
	vfmadd231sd	%xmm1, %xmm13, %xmm2
	vfmadd231sd	%xmm11, %xmm0, %xmm4
	vfmadd231sd	%xmm8, %xmm0, %xmm3
	vfmadd231sd	%xmm0, %xmm14, %xmm2
	vfmsub231sd	%xmm5, %xmm15, %xmm4
	vmovsd	%xmm6, 144(%rbx,%rdi)
	vmovsd	%xmm9, 152(%rbx,%rdi)
	vmovsd	%xmm12, 160(%rbx,%rdi)
	vfmadd231sd	%xmm16, %xmm5, %xmm3
	vfmadd231sd	%xmm19, %xmm15, %xmm2
	vfmsub231sd	%xmm17, %xmm18, %xmm4
	vaddsd	176(%rbx,%rdi), %xmm4, %xmm4
	vfnmadd231sd	%xmm17, %xmm19, %xmm3
	vfnmadd231sd	%xmm18, %xmm16, %xmm2
	vaddsd	168(%rbx,%rdi), %xmm3, %xmm3
	vaddsd	184(%rbx,%rdi), %xmm2, %xmm0
	vmovsd	%xmm3, 168(%rbx,%rdi)
	vmovsd	%xmm4, 176(%rbx,%rdi)
	vmovsd	%xmm0, 184(%rbx,%rdi)
	jmp	.LBB3_43
.LBB3_37:
	vmulsd	16(%r13,%rcx,4), %xmm3, %xmm6
	vfmadd231sd	24(%r13,%rcx,4), %xmm0, %xmm6
	vmovsd	%xmm6, (%r10,%r8,8)
	testq	%rdi, %rdi
	jns	.LBB3_42
	jmp	.LBB3_43
.LBB3_44:
	movq	240(%rsp), %r13
	movq	472(%rsp), %rbp
.LBB3_45:
	movq	16(%r15), %rcx
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	testq	%rcx, %rcx
	jle	.LBB3_15
	movl	%ecx, %eax
	andl	$3, %eax
	cmpq	$4, %rcx
	jae	.LBB3_48
	xorl	%ecx, %ecx
	jmp	.LBB3_13
.LBB3_7:
	movq	40(%rsp), %rcx
	movq	$0, (%rcx)
	jmp	.LBB3_16
.LBB3_48:
	movabsq	$9223372036854775804, %rdx
	andq	%rdx, %rcx
	xorl	%edx, %edx
	.p2align	4
.LBB3_49:
	movq	(%r15), %rsi
	movq	16(%r15), %rdi
	vmovsd	(%r11,%rdx,8), %xmm3
	shlq	$6, %rsi
	leaq	(%rsi,%rsi,2), %rsi
	leaq	(%r13,%rsi), %r8
	leaq	(%rsi,%rdi,8), %rsi
	addq	%r13, %rsi
	vmovsd	32(%rsi,%rdx,8), %xmm2
	vfmadd213sd	(%r10,%rdx,8), %xmm2, %xmm3
	vmovsd	(%rbp,%rdx,8), %xmm2
	vfmadd132sd	32(%r8,%rdx,8), %xmm3, %xmm2
	vmovsd	%xmm2, (%r10,%rdx,8)
	vaddsd	%xmm1, %xmm2, %xmm1
	movq	(%r15), %rsi
	movq	16(%r15), %rdi
	vmovsd	8(%r11,%rdx,8), %xmm3
	shlq	$6, %rsi
	leaq	(%rsi,%rsi,2), %rsi
	leaq	(%r13,%rsi), %r8
	leaq	(%rsi,%rdi,8), %rsi
	addq	%r13, %rsi
	vmovsd	40(%rsi,%rdx,8), %xmm2
	vfmadd213sd	8(%r10,%rdx,8), %xmm2, %xmm3
	vmovsd	8(%rbp,%rdx,8), %xmm2
	vfmadd132sd	40(%r8,%rdx,8), %xmm3, %xmm2
	vmovsd	%xmm2, 8(%r10,%rdx,8)
	movq	(%r15), %rsi
	movq	16(%r15), %rdi
	vmovsd	16(%r11,%rdx,8), %xmm4
	shlq	$6, %rsi
	leaq	(%rsi,%rsi,2), %rsi
	leaq	(%r13,%rsi), %r8
	leaq	(%rsi,%rdi,8), %rsi
	addq	%r13, %rsi
	vmovsd	48(%rsi,%rdx,8), %xmm3
	vfmadd213sd	16(%r10,%rdx,8), %xmm3, %xmm4
	vmovsd	16(%rbp,%rdx,8), %xmm3
	vfmadd132sd	48(%r8,%rdx,8), %xmm4, %xmm3
	vmovsd	%xmm3, 16(%r10,%rdx,8)
	vaddsd	%xmm3, %xmm2, %xmm2
	movq	(%r15), %rsi
	movq	16(%r15), %rdi
	vmovsd	24(%r11,%rdx,8), %xmm3
	vaddsd	%xmm2, %xmm1, %xmm1
	shlq	$6, %rsi
	leaq	(%rsi,%rsi,2), %rsi
	leaq	(%r13,%rsi), %r8
	leaq	(%rsi,%rdi,8), %rsi
	addq	%r13, %rsi
	vmovsd	56(%rsi,%rdx,8), %xmm2
	vfmadd213sd	24(%r10,%rdx,8), %xmm2, %xmm3
	vmovsd	24(%rbp,%rdx,8), %xmm2
	vfmadd132sd	56(%r8,%rdx,8), %xmm3, %xmm2
	vaddsd	%xmm2, %xmm1, %xmm1
	vmovsd	%xmm2, 24(%r10,%rdx,8)
	addq	$4, %rdx
	cmpq	%rdx, %rcx
	jne	.LBB3_49
	testq	%rax, %rax
	je	.LBB3_15
.LBB3_13:
	leaq	(%rbp,%rcx,8), %rdx
	leaq	(%r11,%rcx,8), %rsi
	leaq	32(%r13,%rcx,8), %rdi
	leaq	(%r10,%rcx,8), %rcx
	shll	$3, %eax
	xorl	%r8d, %r8d
	.p2align	4
.LBB3_14:
	movq	(%r15), %r9
	movq	16(%r15), %r10
	vmovsd	(%rsi,%r8), %xmm3
	shlq	$6, %r9
	leaq	(%r9,%r9,2), %r9
	leaq	(%rdi,%r9), %r11
	leaq	(%r9,%r10,8), %r9
	addq	%rdi, %r9
	vmovsd	(%r8,%r9), %xmm2
	vfmadd213sd	(%rcx,%r8), %xmm2, %xmm3
	vmovsd	(%rdx,%r8), %xmm2
	vfmadd132sd	(%r8,%r11), %xmm3, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vmovsd	%xmm2, (%rcx,%r8)
	addq	$8, %r8
	cmpq	%r8, %rax
	jne	.LBB3_14
.LBB3_15:
	vsubsd	%xmm1, %xmm1, %xmm1
	vcmpneqsd	%xmm0, %xmm1, %k0
	kmovw	%k0, %eax
	leaq	(%rax,%rax,2), %rax
	movq	%rax, (%r14)
	xorl	%eax, %eax
.LBB3_16:
	addq	$184, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end3:
	.size	_ZN8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end3-_ZN8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.section	.rodata,"a",@progbits
	.p2align	3, 0x0
.LJTI3_0:
	.quad	.LBB3_20
	.quad	.LBB3_22
	.quad	.LBB3_21
	.quad	.LBB3_23
	.quad	.LBB3_24
.LJTI3_1:
	.quad	.LBB3_34
	.quad	.LBB3_28
	.quad	.LBB3_30
	.quad	.LBB3_29
	.quad	.LBB3_31
	.quad	.LBB3_32
.LJTI3_2:
	.quad	.LBB3_36
	.quad	.LBB3_37
	.quad	.LBB3_38
	.quad	.LBB3_39
	.quad	.LBB3_40

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI4_0:
	.quad	0x4000000000000000
.LCPI4_1:
	.quad	0x3ff0000000000000
.LCPI4_2:
	.quad	0x3fe0000000000000
.LCPI4_3:
	.quad	0x3fe45f306dc9c883
.LCPI4_4:
	.quad	0xbff921fb54442d18
.LCPI4_5:
	.quad	0x3de5d93a5acfd57c
.LCPI4_6:
	.quad	0xbe5ae5e68a2b9ceb
.LCPI4_7:
	.quad	0x3ec71de357b1fe7d
.LCPI4_8:
	.quad	0xbf2a01a019c161d5
.LCPI4_9:
	.quad	0x3f8111111110f8a6
.LCPI4_10:
	.quad	0xbfc5555555555549
.LCPI4_11:
	.quad	0xbda8fae9be8838d4
.LCPI4_12:
	.quad	0x3e21ee9ebdb4b1c4
.LCPI4_13:
	.quad	0xbe927e4f809c52ad
.LCPI4_14:
	.quad	0x3efa01a019cb1590
.LCPI4_15:
	.quad	0xbf56c16c16c15177
.LCPI4_16:
	.quad	0x3fa555555555554c
.LCPI4_17:
	.quad	0x8000000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx
	.p2align	4
	.type	_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx,@function
_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx:
	movq	32(%rsp), %rax
	movq	8(%rsp), %rdx
	movq	40(%rsp), %r8
	shlq	$6, %rax
	decq	%r8
	leaq	(%rax,%rax,2), %rsi
	vmovsd	32(%rdx,%rsi), %xmm11
	vmovsd	40(%rdx,%rsi), %xmm9
	vmovsd	48(%rdx,%rsi), %xmm4
	vmovsd	56(%rdx,%rsi), %xmm10
	vmovsd	64(%rdx,%rsi), %xmm6
	vmovsd	72(%rdx,%rsi), %xmm3
	vmovsd	80(%rdx,%rsi), %xmm8
	vmovsd	88(%rdx,%rsi), %xmm7
	vmovsd	96(%rdx,%rsi), %xmm5
	vmovsd	104(%rdx,%rsi), %xmm0
	vmovsd	112(%rdx,%rsi), %xmm1
	vmovsd	120(%rdx,%rsi), %xmm2
	cmpq	$4, %r8
	ja	.LBB4_8
	movq	104(%rsp), %rax
	movq	80(%rsp), %rcx
	movabsq	$.LJTI4_0, %r9
	jmpq	*(%r9,%r8,8)
.LBB4_2:
	movabsq	$.LCPI4_2, %rsi
	movabsq	$.LCPI4_3, %rdx
	vmovsd	(%rcx,%rax,8), %xmm13
	movabsq	$.LCPI4_4, %rax
	vmovsd	(%rsi), %xmm14
	vmovsd	(%rdx), %xmm12
	movabsq	$.LCPI4_11, %rsi
	movabsq	$.LCPI4_12, %rdx
	vfmadd213sd	%xmm14, %xmm13, %xmm12
	vroundsd	$9, %xmm12, %xmm12, %xmm15
	vfmadd231sd	(%rax), %xmm15, %xmm13
	movabsq	$.LCPI4_5, %rax
	vmovsd	(%rax), %xmm12
	movabsq	$.LCPI4_6, %rax
	vmulsd	%xmm13, %xmm13, %xmm16
	vfmadd213sd	(%rax), %xmm16, %xmm12
	movabsq	$.LCPI4_7, %rax
	vmulsd	%xmm13, %xmm16, %xmm17
	vmulsd	%xmm16, %xmm16, %xmm18
	vfmadd213sd	(%rax), %xmm16, %xmm12
	movabsq	$.LCPI4_8, %rax
	vfmadd213sd	(%rax), %xmm16, %xmm12
	movabsq	$.LCPI4_9, %rax
	vfmadd213sd	(%rax), %xmm16, %xmm12
	movabsq	$.LCPI4_10, %rax
	vfmadd213sd	(%rax), %xmm16, %xmm12
	movabsq	$.LCPI4_1, %rax
	vmovsd	(%rax), %xmm19
	movabsq	$.LCPI4_13, %rax
	vfmsub231sd	%xmm14, %xmm16, %xmm19
	vfmadd213sd	%xmm13, %xmm17, %xmm12
	vmovsd	(%rsi), %xmm13
	vfmadd213sd	(%rdx), %xmm16, %xmm13
	vfmadd213sd	(%rax), %xmm16, %xmm13
	movabsq	$.LCPI4_14, %rax
	vfmadd213sd	(%rax), %xmm16, %xmm13
	movabsq	$.LCPI4_15, %rax
	vfmadd213sd	(%rax), %xmm16, %xmm13
	movabsq	$.LCPI4_16, %rax
	vfmadd213sd	(%rax), %xmm16, %xmm13
	movabsq	$.LCPI4_0, %rax
	vmulsd	%xmm14, %xmm15, %xmm16
	vrndscalesd	$9, %xmm16, %xmm16, %xmm16
	vfmsub213sd	%xmm19, %xmm18, %xmm13
	vmovsd	(%rax), %xmm18
	vfnmadd231sd	%xmm18, %xmm16, %xmm15
	vucomisd	%xmm14, %xmm15
	vmulsd	%xmm14, %xmm16, %xmm15
	vroundsd	$9, %xmm15, %xmm15, %xmm15
	seta	%al
	kmovd	%eax, %k1
	movabsq	$.LCPI4_17, %rax
	vfnmadd213sd	%xmm16, %xmm18, %xmm15
	vucomisd	%xmm14, %xmm15
	vmovddup	(%rax), %xmm14
	seta	%cl
	vxorpd	%xmm14, %xmm12, %xmm15
	vmovsd	%xmm13, %xmm12, %xmm12 {%k1}
	vmovsd	%xmm15, %xmm13, %xmm13 {%k1}
	vxorpd	%xmm14, %xmm12, %xmm15
	kmovd	%ecx, %k1
	vmovsd	%xmm15, %xmm12, %xmm12 {%k1}
	vxorpd	%xmm14, %xmm13, %xmm14
	vmovsd	%xmm14, %xmm13, %xmm13 {%k1}
	vmulsd	%xmm9, %xmm12, %xmm14
	vmulsd	%xmm6, %xmm12, %xmm15
	vmulsd	%xmm7, %xmm12, %xmm16
	vfmadd231sd	%xmm11, %xmm13, %xmm14
	vmulsd	%xmm11, %xmm12, %xmm11
	vfmadd231sd	%xmm10, %xmm13, %xmm15
	vmulsd	%xmm10, %xmm12, %xmm10
	vmulsd	%xmm8, %xmm12, %xmm12
	vfmadd231sd	%xmm8, %xmm13, %xmm16
	vfmsub231sd	%xmm13, %xmm7, %xmm12
	vfmsub213sd	%xmm11, %xmm13, %xmm9
	vfmsub213sd	%xmm10, %xmm13, %xmm6
	vmovapd	%xmm14, %xmm11
	vmovapd	%xmm15, %xmm10
	vmovapd	%xmm16, %xmm8
	jmp	.LBB4_7
.LBB4_3:
	vmovsd	24(%rcx,%rax,8), %xmm13
	vmovsd	32(%rcx,%rax,8), %xmm14
	vmovsd	40(%rcx,%rax,8), %xmm15
	vmovsd	48(%rcx,%rax,8), %xmm16
	movabsq	$.LCPI4_0, %rdx
	vmovsd	(%rdx), %xmm21
	movabsq	$.LCPI4_1, %rdx
	vmulsd	%xmm13, %xmm13, %xmm17
	vmulsd	%xmm14, %xmm14, %xmm18
	vmulsd	%xmm15, %xmm15, %xmm19
	vmulsd	%xmm13, %xmm14, %xmm22
	vmulsd	%xmm15, %xmm16, %xmm23
	vmulsd	%xmm13, %xmm15, %xmm25
	vmulsd	%xmm14, %xmm16, %xmm26
	vmulsd	%xmm14, %xmm15, %xmm14
	vmulsd	%xmm13, %xmm16, %xmm13
	vaddsd	%xmm17, %xmm18, %xmm12
	vsubsd	%xmm23, %xmm22, %xmm24
	vaddsd	%xmm22, %xmm23, %xmm22
	vsubsd	%xmm13, %xmm14, %xmm15
	vaddsd	%xmm18, %xmm19, %xmm18
	vaddsd	%xmm17, %xmm19, %xmm17
	vaddsd	%xmm14, %xmm13, %xmm13
	vaddsd	%xmm25, %xmm26, %xmm27
	vaddsd	%xmm19, %xmm12, %xmm20
	vfmadd231sd	%xmm16, %xmm16, %xmm20
	vsubsd	%xmm26, %xmm25, %xmm16
	vdivsd	%xmm20, %xmm21, %xmm20
	vmovsd	(%rdx), %xmm21
	vmulsd	%xmm22, %xmm20, %xmm22
	vmulsd	%xmm13, %xmm20, %xmm14
	vfnmadd213sd	%xmm21, %xmm20, %xmm18
	vfnmadd213sd	%xmm21, %xmm20, %xmm17
	vfnmadd213sd	%xmm21, %xmm20, %xmm12
	vmulsd	%xmm16, %xmm20, %xmm16
	vmulsd	%xmm24, %xmm20, %xmm24
	vmulsd	%xmm27, %xmm20, %xmm27
	vmulsd	%xmm15, %xmm20, %xmm15
	vmulsd	%xmm9, %xmm22, %xmm13
	vmulsd	%xmm6, %xmm22, %xmm21
	vmulsd	%xmm7, %xmm22, %xmm22
	vmulsd	%xmm11, %xmm24, %xmm19
	vmulsd	%xmm10, %xmm24, %xmm23
	vmulsd	%xmm11, %xmm27, %xmm20
	vmulsd	%xmm10, %xmm27, %xmm25
	vfmadd231sd	%xmm4, %xmm16, %xmm13
	vfmadd231sd	%xmm3, %xmm16, %xmm21
	vfmadd231sd	%xmm16, %xmm5, %xmm22
	vmulsd	%xmm8, %xmm24, %xmm16
	vfmadd231sd	%xmm4, %xmm14, %xmm19
	vfmadd231sd	%xmm3, %xmm14, %xmm23
	vfmadd231sd	%xmm9, %xmm15, %xmm20
	vfmadd231sd	%xmm6, %xmm15, %xmm25
	vfmadd231sd	%xmm14, %xmm5, %xmm16
	vmulsd	%xmm8, %xmm27, %xmm14
	vfmadd231sd	%xmm11, %xmm18, %xmm13
	vfmadd231sd	%xmm10, %xmm18, %xmm21
	vfmadd231sd	%xmm18, %xmm8, %xmm22
	vmovsd	(%rcx,%rax,8), %xmm18
	vfmadd231sd	%xmm9, %xmm17, %xmm19
	vfmadd231sd	%xmm6, %xmm17, %xmm23
	vfmadd231sd	%xmm4, %xmm12, %xmm20
	vfmadd231sd	%xmm3, %xmm12, %xmm25
	vfmadd231sd	%xmm15, %xmm7, %xmm14
	vmovsd	8(%rcx,%rax,8), %xmm15
	vfmadd231sd	%xmm17, %xmm7, %xmm16
	vmovsd	16(%rcx,%rax,8), %xmm17
	vfmadd231sd	%xmm12, %xmm5, %xmm14
	vfmadd231sd	%xmm11, %xmm18, %xmm0
	vfmadd231sd	%xmm10, %xmm18, %xmm1
	vfmadd231sd	%xmm8, %xmm18, %xmm2
	vmovapd	%xmm13, %xmm11
	vmovapd	%xmm21, %xmm10
	vmovapd	%xmm22, %xmm8
	vfmadd231sd	%xmm9, %xmm15, %xmm0
	vfmadd231sd	%xmm6, %xmm15, %xmm1
	vfmadd231sd	%xmm7, %xmm15, %xmm2
	vmovapd	%xmm19, %xmm9
	vmovapd	%xmm23, %xmm6
	vmovapd	%xmm16, %xmm7
	vfmadd231sd	%xmm4, %xmm17, %xmm0
	vfmadd231sd	%xmm3, %xmm17, %xmm1
	vfmadd231sd	%xmm5, %xmm17, %xmm2
	vmovapd	%xmm20, %xmm4
	vmovapd	%xmm25, %xmm3
	vmovapd	%xmm14, %xmm5
	jmp	.LBB4_8
.LBB4_4:
	movabsq	$.LCPI4_2, %rdx
	movabsq	$.LCPI4_3, %r8
	vmovsd	16(%rcx,%rax,8), %xmm13
	movabsq	$.LCPI4_11, %r9
	vmovsd	(%rcx,%rax,8), %xmm21
	vmovsd	(%rdx), %xmm14
	vmovsd	(%r8), %xmm12
	movabsq	$.LCPI4_4, %rdx
	movabsq	$.LCPI4_12, %r8
	vfmadd231sd	%xmm10, %xmm21, %xmm1
	vfmadd231sd	%xmm8, %xmm21, %xmm2
	vfmadd213sd	%xmm14, %xmm13, %xmm12
	vroundsd	$9, %xmm12, %xmm12, %xmm15
	vfmadd231sd	(%rdx), %xmm15, %xmm13
	movabsq	$.LCPI4_5, %rdx
	vmovsd	(%rdx), %xmm12
	movabsq	$.LCPI4_6, %rdx
	vmulsd	%xmm13, %xmm13, %xmm16
	vfmadd213sd	(%rdx), %xmm16, %xmm12
	movabsq	$.LCPI4_7, %rdx
	vmulsd	%xmm13, %xmm16, %xmm17
	vmulsd	%xmm16, %xmm16, %xmm18
	vfmadd213sd	(%rdx), %xmm16, %xmm12
	movabsq	$.LCPI4_8, %rdx
	vfmadd213sd	(%rdx), %xmm16, %xmm12
	movabsq	$.LCPI4_9, %rdx
	vfmadd213sd	(%rdx), %xmm16, %xmm12
	movabsq	$.LCPI4_10, %rdx
	vfmadd213sd	(%rdx), %xmm16, %xmm12
	movabsq	$.LCPI4_1, %rdx
	vfmadd213sd	%xmm13, %xmm17, %xmm12
	vmovsd	(%r9), %xmm13
	vmovsd	(%rdx), %xmm17
	movabsq	$.LCPI4_13, %rdx
	vfmadd213sd	(%r8), %xmm16, %xmm13
	vfmadd213sd	(%rdx), %xmm16, %xmm13
	movabsq	$.LCPI4_14, %rdx
	vfmsub231sd	%xmm14, %xmm16, %xmm17
	vfmadd213sd	(%rdx), %xmm16, %xmm13
	movabsq	$.LCPI4_15, %rdx
	vfmadd213sd	(%rdx), %xmm16, %xmm13
	movabsq	$.LCPI4_16, %rdx
	vfmadd213sd	(%rdx), %xmm16, %xmm13
	movabsq	$.LCPI4_0, %rdx
	vmulsd	%xmm14, %xmm15, %xmm16
	vrndscalesd	$9, %xmm16, %xmm16, %xmm16
	vfmsub213sd	%xmm17, %xmm18, %xmm13
	vmovsd	(%rdx), %xmm17
	vfnmadd231sd	%xmm17, %xmm16, %xmm15
	vucomisd	%xmm14, %xmm15
	vmulsd	%xmm14, %xmm16, %xmm15
	vroundsd	$9, %xmm15, %xmm15, %xmm15
	seta	%dl
	kmovd	%edx, %k1
	movabsq	$.LCPI4_17, %rdx
	vfnmadd213sd	%xmm16, %xmm17, %xmm15
	vucomisd	%xmm14, %xmm15
	vmovddup	(%rdx), %xmm14
	seta	%sil
	vxorpd	%xmm14, %xmm12, %xmm15
	vmovsd	%xmm13, %xmm12, %xmm12 {%k1}
	vmovsd	%xmm15, %xmm13, %xmm13 {%k1}
	vxorpd	%xmm14, %xmm12, %xmm15
	kmovd	%esi, %k1
	vmovsd	%xmm15, %xmm12, %xmm12 {%k1}
	vmovsd	8(%rcx,%rax,8), %xmm15
	vxorpd	%xmm14, %xmm13, %xmm14
	vmulsd	%xmm9, %xmm12, %xmm16
	vmulsd	%xmm11, %xmm12, %xmm17
	vmulsd	%xmm6, %xmm12, %xmm18
	vmulsd	%xmm10, %xmm12, %xmm19
	vmulsd	%xmm7, %xmm12, %xmm20
	vmulsd	%xmm8, %xmm12, %xmm12
	vmovsd	%xmm14, %xmm13, %xmm13 {%k1}
	vfmadd231sd	%xmm11, %xmm21, %xmm0
	vfmadd231sd	%xmm11, %xmm13, %xmm16
	vfmadd231sd	%xmm10, %xmm13, %xmm18
	vfmadd231sd	%xmm8, %xmm13, %xmm20
	vfmsub231sd	%xmm9, %xmm13, %xmm17
	vfmsub231sd	%xmm6, %xmm13, %xmm19
	vfmsub231sd	%xmm13, %xmm7, %xmm12
	vfmadd231sd	%xmm9, %xmm15, %xmm0
	vfmadd231sd	%xmm6, %xmm15, %xmm1
	vfmadd231sd	%xmm7, %xmm15, %xmm2
	vmovapd	%xmm16, %xmm11
	vmovapd	%xmm17, %xmm9
	vmovapd	%xmm18, %xmm10
	vmovapd	%xmm19, %xmm6
	vmovapd	%xmm20, %xmm8
	jmp	.LBB4_7
.LBB4_5:
	vmovsd	(%rcx,%rax,8), %xmm13
	vmovsd	8(%rcx,%rax,8), %xmm14
	vmovsd	16(%rcx,%rax,8), %xmm15
	vmovsd	24(%rcx,%rax,8), %xmm16
	movabsq	$.LCPI4_0, %rax
	vmovsd	(%rax), %xmm21
	movabsq	$.LCPI4_1, %rax
	vmulsd	%xmm13, %xmm13, %xmm17
	vmulsd	%xmm14, %xmm14, %xmm18
	vmulsd	%xmm15, %xmm15, %xmm19
	vmulsd	%xmm13, %xmm14, %xmm22
	vmulsd	%xmm15, %xmm16, %xmm23
	vmulsd	%xmm13, %xmm15, %xmm25
	vmulsd	%xmm14, %xmm16, %xmm26
	vmulsd	%xmm14, %xmm15, %xmm14
	vmulsd	%xmm13, %xmm16, %xmm13
	vaddsd	%xmm17, %xmm18, %xmm12
	vsubsd	%xmm23, %xmm22, %xmm24
	vaddsd	%xmm22, %xmm23, %xmm22
	vsubsd	%xmm13, %xmm14, %xmm15
	vaddsd	%xmm18, %xmm19, %xmm18
	vaddsd	%xmm25, %xmm26, %xmm27
	vaddsd	%xmm17, %xmm19, %xmm17
	vaddsd	%xmm14, %xmm13, %xmm13
	vaddsd	%xmm19, %xmm12, %xmm20
	vfmadd231sd	%xmm16, %xmm16, %xmm20
	vsubsd	%xmm26, %xmm25, %xmm16
	vdivsd	%xmm20, %xmm21, %xmm20
	vmovsd	(%rax), %xmm21
	vmulsd	%xmm22, %xmm20, %xmm22
	vmulsd	%xmm24, %xmm20, %xmm24
	vfnmadd213sd	%xmm21, %xmm20, %xmm18
	vmulsd	%xmm27, %xmm20, %xmm27
	vfnmadd213sd	%xmm21, %xmm20, %xmm17
	vfnmadd213sd	%xmm21, %xmm20, %xmm12
	vmulsd	%xmm15, %xmm20, %xmm15
	vmulsd	%xmm16, %xmm20, %xmm16
	vmulsd	%xmm13, %xmm20, %xmm13
	vmulsd	%xmm9, %xmm22, %xmm14
	vmulsd	%xmm6, %xmm22, %xmm20
	vmulsd	%xmm7, %xmm22, %xmm22
	vmulsd	%xmm11, %xmm24, %xmm19
	vmulsd	%xmm10, %xmm24, %xmm21
	vfmadd231sd	%xmm4, %xmm16, %xmm14
	vfmadd231sd	%xmm3, %xmm16, %xmm20
	vfmadd231sd	%xmm16, %xmm5, %xmm22
	vmulsd	%xmm8, %xmm24, %xmm16
	vfmadd231sd	%xmm4, %xmm13, %xmm19
	vfmadd231sd	%xmm3, %xmm13, %xmm21
	vfmadd231sd	%xmm13, %xmm5, %xmm16
	vmulsd	%xmm8, %xmm27, %xmm13
	vfmadd231sd	%xmm11, %xmm18, %xmm14
	vmulsd	%xmm11, %xmm27, %xmm11
	vfmadd231sd	%xmm9, %xmm17, %xmm19
	vfmadd231sd	%xmm18, %xmm8, %xmm22
	vfmadd231sd	%xmm10, %xmm18, %xmm20
	vfmadd231sd	%xmm6, %xmm17, %xmm21
	vfmadd231sd	%xmm7, %xmm15, %xmm13
	vfmadd231sd	%xmm9, %xmm15, %xmm11
	vmulsd	%xmm10, %xmm27, %xmm9
	vfmadd231sd	%xmm17, %xmm7, %xmm16
	vmovapd	%xmm20, %xmm10
	vmovapd	%xmm22, %xmm8
	vfmadd231sd	%xmm6, %xmm15, %xmm9
	vfmadd231sd	%xmm12, %xmm5, %xmm13
	vmovapd	%xmm21, %xmm6
	vfmadd213sd	%xmm11, %xmm12, %xmm4
	vmovapd	%xmm14, %xmm11
	vmovapd	%xmm16, %xmm7
	vfmadd213sd	%xmm9, %xmm12, %xmm3
	vmovapd	%xmm19, %xmm9
	vmovapd	%xmm13, %xmm5
	jmp	.LBB4_8
.LBB4_6:
	vmovsd	(%rcx,%rax,8), %xmm13
	movabsq	$.LCPI4_2, %rax
	movabsq	$.LCPI4_11, %r9
	movabsq	$.LCPI4_12, %r8
	vmulsd	216(%rdx,%rsi), %xmm13, %xmm14
	vmovsd	(%rax), %xmm15
	movabsq	$.LCPI4_3, %rax
	vmulsd	208(%rdx,%rsi), %xmm13, %xmm13
	vmovsd	(%rax), %xmm12
	movabsq	$.LCPI4_4, %rax
	vfmadd213sd	%xmm15, %xmm14, %xmm12
	vfmadd231sd	%xmm3, %xmm13, %xmm1
	vfmadd231sd	%xmm13, %xmm5, %xmm2
	vrndscalesd	$9, %xmm12, %xmm12, %xmm16
	vfmadd231sd	(%rax), %xmm16, %xmm14
	movabsq	$.LCPI4_5, %rax
	vmovsd	(%rax), %xmm12
	movabsq	$.LCPI4_6, %rax
	vmulsd	%xmm14, %xmm14, %xmm17
	vfmadd213sd	(%rax), %xmm17, %xmm12
	movabsq	$.LCPI4_7, %rax
	vmulsd	%xmm14, %xmm17, %xmm18
	vmulsd	%xmm17, %xmm17, %xmm19
	vfmadd213sd	(%rax), %xmm17, %xmm12
	movabsq	$.LCPI4_8, %rax
	vfmadd213sd	(%rax), %xmm17, %xmm12
	movabsq	$.LCPI4_9, %rax
	vfmadd213sd	(%rax), %xmm17, %xmm12
	movabsq	$.LCPI4_10, %rax
	vfmadd213sd	(%rax), %xmm17, %xmm12
	movabsq	$.LCPI4_1, %rax
	vmovsd	(%rax), %xmm20
	movabsq	$.LCPI4_13, %rax
	vfmsub231sd	%xmm15, %xmm17, %xmm20
	vfmadd213sd	%xmm14, %xmm18, %xmm12
	vmovsd	(%r9), %xmm14
	vfmadd213sd	(%r8), %xmm17, %xmm14
	vfmadd213sd	(%rax), %xmm17, %xmm14
	movabsq	$.LCPI4_14, %rax
	vfmadd213sd	(%rax), %xmm17, %xmm14
	movabsq	$.LCPI4_15, %rax
	vfmadd213sd	(%rax), %xmm17, %xmm14
	movabsq	$.LCPI4_16, %rax
	vfmadd213sd	(%rax), %xmm17, %xmm14
	movabsq	$.LCPI4_0, %rax
	vmulsd	%xmm15, %xmm16, %xmm17
	vrndscalesd	$9, %xmm17, %xmm17, %xmm17
	vfmsub213sd	%xmm20, %xmm19, %xmm14
	vmovsd	(%rax), %xmm19
	vfnmadd231sd	%xmm19, %xmm17, %xmm16
	vucomisd	%xmm15, %xmm16
	vmulsd	%xmm15, %xmm17, %xmm16
	vrndscalesd	$9, %xmm16, %xmm16, %xmm16
	seta	%al
	kmovd	%eax, %k1
	movabsq	$.LCPI4_17, %rax
	vfnmadd213sd	%xmm17, %xmm19, %xmm16
	vucomisd	%xmm15, %xmm16
	vmovddup	(%rax), %xmm15
	seta	%cl
	vxorpd	%xmm15, %xmm12, %xmm16
	vmovsd	%xmm14, %xmm12, %xmm12 {%k1}
	vmovsd	%xmm16, %xmm14, %xmm14 {%k1}
	vxorpd	%xmm15, %xmm12, %xmm16
	kmovd	%ecx, %k1
	vmovsd	%xmm16, %xmm12, %xmm12 {%k1}
	vxorpd	%xmm15, %xmm14, %xmm15
	vmovsd	%xmm15, %xmm14, %xmm14 {%k1}
	vmulsd	%xmm9, %xmm12, %xmm15
	vmulsd	%xmm6, %xmm12, %xmm16
	vmulsd	%xmm7, %xmm12, %xmm17
	vfmadd231sd	%xmm4, %xmm13, %xmm0
	vfmadd231sd	%xmm11, %xmm14, %xmm15
	vmulsd	%xmm11, %xmm12, %xmm11
	vfmadd231sd	%xmm10, %xmm14, %xmm16
	vmulsd	%xmm10, %xmm12, %xmm10
	vmulsd	%xmm8, %xmm12, %xmm12
	vfmadd231sd	%xmm8, %xmm14, %xmm17
	vfmsub231sd	%xmm14, %xmm7, %xmm12
	vfmsub213sd	%xmm11, %xmm14, %xmm9
	vfmsub213sd	%xmm10, %xmm14, %xmm6
	vmovapd	%xmm15, %xmm11
	vmovapd	%xmm16, %xmm10
	vmovapd	%xmm17, %xmm8
.LBB4_7:
	vmovapd	%xmm12, %xmm7
.LBB4_8:
	vmovsd	%xmm11, (%rdi)
	vmovsd	%xmm9, 8(%rdi)
	vmovsd	%xmm4, 16(%rdi)
	vmovsd	%xmm10, 24(%rdi)
	vmovsd	%xmm6, 32(%rdi)
	vmovsd	%xmm3, 40(%rdi)
	vmovsd	%xmm8, 48(%rdi)
	vmovsd	%xmm7, 56(%rdi)
	vmovsd	%xmm5, 64(%rdi)
	vmovsd	%xmm0, 72(%rdi)
	vmovsd	%xmm1, 80(%rdi)
	xorl	%eax, %eax
	vmovsd	%xmm2, 88(%rdi)
	retq
.Lfunc_end4:
	.size	_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx, .Lfunc_end4-_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx
	.section	.rodata,"a",@progbits
	.p2align	3, 0x0
.LJTI4_0:
	.quad	.LBB4_2
	.quad	.LBB4_6
	.quad	.LBB4_4
	.quad	.LBB4_5
	.quad	.LBB4_3

	.type	.const.rnea,@object
	.section	.lrodata,"al",@progbits
.const.rnea:
	.asciz	"rnea"
	.size	.const.rnea, 5

	.type	_ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE",@object
	.p2align	4, 0x0
".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE":
	.asciz	"missing Environment: _ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE"
	.size	".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels4rnea4rneaB2v1B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE", 401

	.type	".const.can't unbox array from PyObject into native value.  The object maybe of a different type",@object
	.p2align	4, 0x0
".const.can't unbox array from PyObject into native value.  The object maybe of a different type":
	.asciz	"can't unbox array from PyObject into native value.  The object maybe of a different type"
	.size	".const.can't unbox array from PyObject into native value.  The object maybe of a different type", 89

	.type	".const.Error creating Python tuple from runtime exception arguments",@object
	.p2align	4, 0x0
".const.Error creating Python tuple from runtime exception arguments":
	.asciz	"Error creating Python tuple from runtime exception arguments"
	.size	".const.Error creating Python tuple from runtime exception arguments", 61

	.type	".const.unknown error when calling native function",@object
	.p2align	4, 0x0
".const.unknown error when calling native function":
	.asciz	"unknown error when calling native function"
	.size	".const.unknown error when calling native function", 43

	.type	".const.Error creating Python tuple from runtime exception arguments.1",@object
	.p2align	4, 0x0
".const.Error creating Python tuple from runtime exception arguments.1":
	.asciz	"Error creating Python tuple from runtime exception arguments"
	.size	".const.Error creating Python tuple from runtime exception arguments.1", 61

	.type	".const.unknown error when calling native function.2",@object
	.p2align	4, 0x0
".const.unknown error when calling native function.2":
	.asciz	"unknown error when calling native function"
	.size	".const.unknown error when calling native function.2", 43

	.type	".const.<numba.core.cpu.CPUContext>",@object
	.p2align	4, 0x0
".const.<numba.core.cpu.CPUContext>":
	.asciz	"<numba.core.cpu.CPUContext>"
	.size	".const.<numba.core.cpu.CPUContext>", 28

	.type	_ZN08NumbaEnv8linkwork7kernels6layout11check_stateB2v2B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11check_stateB2v2B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout13quaternion_atB2v4B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout13quaternion_atB2v4B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout6statusB2v5B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_284_29x,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout6statusB2v5B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_284_29x,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout6statusB2v3B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_281_2923Literal_5bint_5d_280_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout6statusB2v3B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_281_2923Literal_5bint_5d_280_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea12newton_eulerB2v6B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedExd5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4rnea12place_stagesB2v7B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea12place_stagesB2v7B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_matB3v11B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_matB3v11B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints6sincosB3v13B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEd,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints6sincosB3v13B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEd,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec36turn_zB3v14B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_29dd,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec36turn_zB3v14B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_29dd,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints6as_matB3v15B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE25Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints6as_matB3v15B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE25Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints6as_vecB3v16B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE25Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints6as_vecB3v16B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE25Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec317quaternion_matrixB3v18B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEdddd,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec317quaternion_matrixB3v18B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEdddd,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37mat_mulB3v19B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37mat_mulB3v19B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11store_xformB3v22B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11store_xformB3v22B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9store_matB3v23B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9store_matB3v23B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9index_rowB2v8B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9index_rowB2v8B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10load_xformB3v25B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10load_xformB3v25B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_matB3v26B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_matB3v26B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4rnea15ground_velocityB3v27B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea15ground_velocityB3v27B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4rnea19ground_accelerationB3v28B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEd,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea19ground_accelerationB3v28B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEd,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11load_motionB3v29B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11load_motionB3v29B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial15motion_to_childB3v30B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial15motion_to_childB3v30B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec34tmulB3v32B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec34tmulB3v32B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints10joint_biasB3v34B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints10joint_biasB3v34B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints14joint_velocityB3v33B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints14joint_velocityB3v33B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial12cross_motionB3v35B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial12cross_motionB3v35B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10motion_addB3v36B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10motion_addB3v36B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout12store_motionB3v37B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout12store_motionB3v37B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout12load_inertiaB3v38B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout12load_inertiaB3v38B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v12B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v12B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_symB3v39B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_symB3v39B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial11inertia_mulB3v40B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial11inertia_mulB3v40B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10gyroscopicB3v44B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10gyroscopicB3v44B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec35scaleB3v41B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEd25Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec35scaleB3v41B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEd25Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37sym_mulB3v43B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37sym_mulB3v43B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_addB3v45B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_addB3v45B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10applied_atB3v46B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10applied_atB3v46B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11load_wrenchB3v47B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11load_wrenchB3v47B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v20B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v20B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_subB3v48B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_subB3v48B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33subB3v42B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33subB3v42B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout12store_wrenchB3v49B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout12store_wrenchB3v49B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints11joint_forceB3v50B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExxx45Wrench_28Vec3_28float64_20x_203_29_20x_202_295ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints11joint_forceB3v50B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExxx45Wrench_28Vec3_28float64_20x_203_29_20x_202_295ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9model_rowB3v10B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9model_rowB3v10B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial16wrench_to_parentB3v51B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial16wrench_to_parentB3v51B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33mulB3v21B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33mulB3v21B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec35crossB3v31B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec35crossB3v31B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33addB3v17B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33addB3v17B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10add_wrenchB3v52B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10add_wrenchB3v52B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9store_vecB3v24B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9store_vecB3v24B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11armature_atB3v53B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11armature_atB3v53B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10damping_atB3v54B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10damping_atB3v54B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout6statusB3v55B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_283_2923Literal_5bint_5d_280_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout6statusB3v55B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_283_2923Literal_5bint_5d_280_29,8,8
	.section	".note.GNU-stack","",@progbits
