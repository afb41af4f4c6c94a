	.file	"<string>"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI0_0:
	.quad	0xbff0000000000000
.LCPI0_1:
	.quad	0x7fffffffffffffff
.LCPI0_2:
	.quad	0x3f50624dd2f1a9fc
	.section	.ltext,"axl",@progbits
	.globl	_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$104, %rsp
	movq	344(%rsp), %r13
	movq	216(%rsp), %rbp
	movq	$0, 88(%rsp)
	movq	$0, 72(%rsp)
	movq	$0, 56(%rsp)
	movl	$1, %r12d
	cmpq	8(%rbp), %r13
	jne	.LBB0_5
	movq	40(%rbp), %rax
	movabsq	$.LCPI0_0, %r11
	movabsq	$.LCPI0_1, %rbx
	movq	336(%rsp), %r14
	vmovsd	(%r11), %xmm0
	movabsq	$.LCPI0_2, %r11
	vmovddup	(%rbx), %xmm1
	movq	224(%rsp), %rbx
	vmovsd	(%r11), %xmm2
	movl	$9, %r11d
	movq	%rax, %r10
	sarq	$63, %r10
	andnq	%rax, %r10, %r10
	movq	296(%rsp), %rax
	negq	%r10
	.p2align	4
.LBB0_2:
	leaq	(%r10,%r11), %r12
	cmpq	$9, %r12
	je	.LBB0_8
	movq	(%rbp), %r12
	movq	16(%rbp), %r15
	leaq	(%r12,%r12,2), %r12
	addq	%r15, %r15
	leaq	(%r15,%r12,2), %r15
	addq	%r11, %r15
	incq	%r11
	leaq	(%rbp,%r15,8), %r12
	sarq	$63, %r15
	andq	%rbx, %r15
	movq	(%r12,%r15,8), %r12
	vmovsd	(%r14,%r12,8), %xmm3
	vmovsd	8(%r14,%r12,8), %xmm4
	vmovsd	16(%r14,%r12,8), %xmm5
	vmovsd	24(%r14,%r12,8), %xmm6
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
	addq	$104, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.LBB0_8:
	movq	400(%rsp), %r12
	movq	16(%rbp), %r10
	movq	456(%rsp), %r15
	movq	%r12, %r11
	xorq	%r10, %r11
	xorq	%r10, %r15
	xorq	512(%rsp), %r10
	orq	%r11, %r15
	orq	%r15, %r10
	jne	.LBB0_18
	movq	408(%rsp), %r11
	movq	%rsi, 8(%rsp)
	movq	%rdi, 16(%rsp)
	movabsq	$_ZN8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %r10
	leaq	96(%rsp), %rdi
	leaq	88(%rsp), %rsi
	movq	%rdx, 24(%rsp)
	movq	%rcx, 32(%rsp)
	movq	%r8, 40(%rsp)
	movq	%r9, 48(%rsp)
	pushq	%r11
	pushq	%r12
	movq	408(%rsp), %r11
	pushq	%r11
	movq	408(%rsp), %r11
	pushq	%r11
	movq	408(%rsp), %r11
	pushq	%r11
	movq	408(%rsp), %r11
	pushq	%r11
	movq	408(%rsp), %r11
	pushq	%r11
	pushq	408(%rsp)
	pushq	%r13
	pushq	%r14
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	pushq	%rbx
	pushq	%rbp
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %rax
	pushq	%rax
	movq	408(%rsp), %r12
	pushq	%r12
	movq	408(%rsp), %r15
	pushq	%r15
	callq	*%r10
	addq	$256, %rsp
	testl	%eax, %eax
	jne	.LBB0_19
	movq	$0, 80(%rsp)
	subq	$8, %rsp
	movq	32(%rsp), %rdx
	movq	40(%rsp), %rcx
	movq	48(%rsp), %r8
	movq	56(%rsp), %r9
	movabsq	$_ZN8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %rax
	leaq	88(%rsp), %rdi
	leaq	80(%rsp), %rsi
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	472(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	%rbx
	pushq	%rbp
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	408(%rsp)
	pushq	%r12
	pushq	%r15
	callq	*%rax
	addq	$256, %rsp
	testl	%eax, %eax
	jne	.LBB0_21
	movq	80(%rsp), %rax
	testq	%rax, %rax
	jns	.LBB0_14
	movq	$0, 64(%rsp)
	subq	$8, %rsp
	movq	32(%rsp), %rdx
	movq	40(%rsp), %rcx
	movq	48(%rsp), %r8
	movq	56(%rsp), %r9
	movabsq	$_ZN8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %rax
	leaq	72(%rsp), %rdi
	leaq	64(%rsp), %rsi
	pushq	528(%rsp)
	pushq	528(%rsp)
	movq	%r15, %r10
	movq	528(%rsp), %r15
	pushq	%r15
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	%r13
	pushq	%r14
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	528(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	%rbx
	pushq	%rbp
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	520(%rsp)
	pushq	%r10
	callq	*%rax
	addq	$368, %rsp
	testl	%eax, %eax
	jne	.LBB0_22
	movq	64(%rsp), %rax
	testq	%rax, %rax
	js	.LBB0_23
.LBB0_14:
	movq	16(%rsp), %rcx
	shlq	$4, %rax
	orq	$2, %rax
	movq	%rax, (%rcx)
	jmp	.LBB0_6
.LBB0_18:
	movq	$1, (%rdi)
	jmp	.LBB0_6
.LBB0_23:
	movq	16(%rbp), %rcx
	movq	16(%rsp), %rax
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	testq	%rcx, %rcx
	jle	.LBB0_17
	cmpq	$4, %rcx
	jae	.LBB0_26
	xorl	%edx, %edx
	jmp	.LBB0_15
.LBB0_26:
	movabsq	$9223372036854775776, %rsi
	cmpq	$32, %rcx
	jae	.LBB0_28
	xorl	%edx, %edx
	jmp	.LBB0_32
.LBB0_28:
	movq	%rcx, %rdx
	andq	%rsi, %rdx
	vxorpd	%xmm1, %xmm1, %xmm1
	xorl	%edi, %edi
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	vxorpd	%xmm4, %xmm4, %xmm4
.LBB0_29:
	vaddpd	(%r15,%rdi,8), %zmm1, %zmm1
	vaddpd	64(%r15,%rdi,8), %zmm2, %zmm2
	vaddpd	128(%r15,%rdi,8), %zmm3, %zmm3
	vaddpd	192(%r15,%rdi,8), %zmm4, %zmm4
	addq	$32, %rdi
	cmpq	%rdi, %rdx
	jne	.LBB0_29
	vaddpd	%zmm1, %zmm2, %zmm1
	vaddpd	%zmm3, %zmm4, %zmm3
	vaddpd	%zmm1, %zmm3, %zmm1
	vextractf64x4	$1, %zmm1, %ymm2
	vaddpd	%zmm2, %zmm1, %zmm1
	vextractf128	$1, %ymm1, %xmm2
	vaddpd	%xmm2, %xmm1, %xmm1
	vshufpd	$1, %xmm1, %xmm1, %xmm2
	vaddsd	%xmm2, %xmm1, %xmm1
	cmpq	%rdx, %rcx
	je	.LBB0_17
	testb	$28, %cl
	je	.LBB0_15
.LBB0_32:
	addq	$28, %rsi
	movq	%rdx, %rdi
	vmovq	%xmm1, %xmm1
	movq	%rsi, %rdx
	andq	%rcx, %rdx
.LBB0_33:
	vaddpd	(%r15,%rdi,8), %ymm1, %ymm1
	addq	$4, %rdi
	cmpq	%rdi, %rdx
	jne	.LBB0_33
	vextractf128	$1, %ymm1, %xmm2
	vaddpd	%xmm2, %xmm1, %xmm1
	vshufpd	$1, %xmm1, %xmm1, %xmm2
	vaddsd	%xmm2, %xmm1, %xmm1
	jmp	.LBB0_16
.LBB0_19:
	movq	88(%rsp), %rdx
	jmp	.LBB0_20
.LBB0_21:
	movq	72(%rsp), %rdx
	jmp	.LBB0_20
.LBB0_22:
	movq	56(%rsp), %rdx
.LBB0_20:
	movq	8(%rsp), %rcx
	movq	%rdx, (%rcx)
	jmp	.LBB0_7
.LBB0_15:
	vaddsd	(%r15,%rdx,8), %xmm1, %xmm1
	incq	%rdx
.LBB0_16:
	cmpq	%rdx, %rcx
	jne	.LBB0_15
.LBB0_17:
	vsubsd	%xmm1, %xmm1, %xmm1
	vcmpneqsd	%xmm0, %xmm1, %k0
	kmovw	%k0, %ecx
	leaq	(%rcx,%rcx,2), %rcx
	movq	%rcx, (%rax)
	jmp	.LBB0_6
.Lfunc_end0:
	.size	_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end0-_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE

	.globl	_ZN7cpython8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN7cpython8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN7cpython8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
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
	movabsq	$.const.aba, %rsi
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
	movabsq	$_ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %rax
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
	movabsq	$_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %rax
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
	movabsq	$".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE", %rsi
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
	.size	_ZN7cpython8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end1-_ZN7cpython8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.cfi_endproc

	.globl	cfunc._ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	cfunc._ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
cfunc._ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
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
	movabsq	$_ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, %r11
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
	.size	cfunc._ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end2-cfunc._ZN8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.cfi_endproc

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI3_0:
	.quad	0x8000000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$136, %rsp
	movq	248(%rsp), %r10
	movq	%r9, 24(%rsp)
	movq	%r8, 16(%rsp)
	movq	(%r10), %r12
	testq	%r12, %r12
	jle	.LBB3_19
	movq	%rcx, %r13
	movq	%rdx, %rbp
	movq	%rsi, 8(%rsp)
	movq	%rdi, (%rsp)
	xorl	%ebx, %ebx
	xorl	%r14d, %r14d
	.p2align	4
.LBB3_2:
	subq	$8, %rsp
	movq	24(%rsp), %r8
	movq	32(%rsp), %r9
	leaq	48(%rsp), %rdi
	leaq	40(%rsp), %rsi
	movq	%rbp, %rdx
	movq	%r13, %rcx
	pushq	80(%r10,%rbx)
	pushq	400(%rsp)
	pushq	400(%rsp)
	pushq	400(%rsp)
	pushq	400(%rsp)
	pushq	400(%rsp)
	pushq	400(%rsp)
	pushq	400(%rsp)
	movq	%r10, %r15
	pushq	72(%r10,%rbx)
	pushq	%r14
	pushq	296(%rsp)
	pushq	296(%rsp)
	pushq	296(%rsp)
	movabsq	$_ZN8linkwork7kernels6joints11joint_xformB2v9B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx, %rax
	vzeroupper
	callq	*%rax
	addq	$112, %rsp
	testl	%eax, %eax
	jne	.LBB3_20
	vmovupd	104(%rsp), %ymm0
	vmovupd	40(%rsp), %zmm1
	movq	304(%rsp), %rax
	incq	%r14
	movq	%r15, %r10
	vmovupd	%zmm1, (%rax,%rbx,8)
	vmovupd	%ymm0, 64(%rax,%rbx,8)
	addq	$48, %rbx
	cmpq	%r14, %r12
	jne	.LBB3_2
	movq	(%r10), %rax
	testq	%rax, %rax
	jle	.LBB3_18
	movabsq	$.LCPI3_0, %rsi
	movq	304(%rsp), %rcx
	movq	424(%rsp), %r9
	movq	328(%rsp), %r11
	xorl	%edx, %edx
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovddup	(%rsi), %xmm1
	movabsq	$.LJTI3_0, %rsi
	addq	$352, %rcx
	jmp	.LBB3_7
	.p2align	4
.LBB3_6:
	vmovsd	%xmm2, -256(%rcx,%rdx,8)
	vmovsd	%xmm3, -248(%rcx,%rdx,8)
	vmovsd	%xmm4, -240(%rcx,%rdx,8)
	vmulsd	%xmm0, %xmm8, %xmm4
	vxorpd	%xmm1, %xmm11, %xmm3
	vmovsd	%xmm5, -232(%rcx,%rdx,8)
	vmovsd	%xmm6, -224(%rcx,%rdx,8)
	vmovsd	%xmm7, -216(%rcx,%rdx,8)
	vmovsd	%xmm18, -208(%rcx,%rdx,8)
	vmovsd	%xmm19, -200(%rcx,%rdx,8)
	vmovsd	%xmm20, -192(%rcx,%rdx,8)
	vmovsd	%xmm21, -184(%rcx,%rdx,8)
	vmovsd	%xmm22, -176(%rcx,%rdx,8)
	vmovsd	%xmm23, -168(%rcx,%rdx,8)
	vmovsd	%xmm12, -160(%rcx,%rdx,8)
	vmovsd	%xmm13, -152(%rcx,%rdx,8)
	vmovsd	%xmm14, -144(%rcx,%rdx,8)
	vmovsd	%xmm15, -136(%rcx,%rdx,8)
	vmovsd	%xmm16, -128(%rcx,%rdx,8)
	vmovsd	%xmm17, -120(%rcx,%rdx,8)
	vmovsd	%xmm4, -112(%rcx,%rdx,8)
	vmovlpd	%xmm3, -104(%rcx,%rdx,8)
	vunpcklpd	%xmm10, %xmm9, %xmm3
	vmovsd	%xmm10, -96(%rcx,%rdx,8)
	vmovsd	%xmm11, -88(%rcx,%rdx,8)
	vmovsd	%xmm4, -80(%rcx,%rdx,8)
	vxorpd	%xmm1, %xmm3, %xmm3
	vmovupd	%xmm3, -72(%rcx,%rdx,8)
	vmovsd	%xmm9, -56(%rcx,%rdx,8)
	vmovsd	%xmm4, -48(%rcx,%rdx,8)
	vmovsd	%xmm8, -40(%rcx,%rdx,8)
	vmovsd	%xmm4, -32(%rcx,%rdx,8)
	vmovsd	%xmm4, -24(%rcx,%rdx,8)
	vmovsd	%xmm8, -16(%rcx,%rdx,8)
	vmovsd	%xmm4, -8(%rcx,%rdx,8)
	vmovsd	%xmm8, (%rcx,%rdx,8)
	addq	$48, %rdx
	decq	%rax
	je	.LBB3_18
.LBB3_7:
	movq	64(%r10,%rdx), %rdi
	vxorpd	%xmm7, %xmm7, %xmm7
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm8, %xmm8, %xmm8
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	vxorpd	%xmm4, %xmm4, %xmm4
	testq	%rdi, %rdi
	js	.LBB3_9
	movq	304(%rsp), %r8
	leaq	(%rdi,%rdi,2), %rdi
	shlq	$7, %rdi
	vmovsd	96(%r8,%rdi), %xmm4
	vmovsd	104(%r8,%rdi), %xmm3
	vmovsd	112(%r8,%rdi), %xmm2
	vmovsd	120(%r8,%rdi), %xmm8
	vmovsd	128(%r8,%rdi), %xmm9
	vmovsd	136(%r8,%rdi), %xmm7
.LBB3_9:
	vmovsd	-272(%rcx,%rdx,8), %xmm18
	vmovsd	-264(%rcx,%rdx,8), %xmm19
	vmovsd	-280(%rcx,%rdx,8), %xmm17
	vmovsd	-304(%rcx,%rdx,8), %xmm5
	vmovsd	-328(%rcx,%rdx,8), %xmm12
	vmovsd	-352(%rcx,%rdx,8), %xmm6
	vmovsd	-296(%rcx,%rdx,8), %xmm15
	vmovsd	-288(%rcx,%rdx,8), %xmm16
	vmovsd	-320(%rcx,%rdx,8), %xmm13
	vmovsd	-312(%rcx,%rdx,8), %xmm14
	vmovsd	-344(%rcx,%rdx,8), %xmm10
	vmovsd	-336(%rcx,%rdx,8), %xmm11
	movq	72(%r10,%rdx), %rdi
	decq	%rdi
	vmulsd	%xmm18, %xmm7, %xmm20
	vfmsub231sd	%xmm19, %xmm9, %xmm20
	vaddsd	%xmm20, %xmm4, %xmm20
	vmulsd	%xmm19, %xmm8, %xmm4
	vfmsub231sd	%xmm17, %xmm7, %xmm4
	vaddsd	%xmm4, %xmm3, %xmm19
	vmulsd	%xmm17, %xmm9, %xmm3
	vfmsub231sd	%xmm18, %xmm8, %xmm3
	vaddsd	%xmm3, %xmm2, %xmm4
	vmulsd	%xmm5, %xmm4, %xmm2
	vmulsd	%xmm5, %xmm7, %xmm5
	vmulsd	%xmm4, %xmm15, %xmm3
	vmulsd	%xmm16, %xmm4, %xmm4
	vfmadd231sd	%xmm12, %xmm19, %xmm2
	vfmadd231sd	%xmm12, %xmm9, %xmm5
	vfmadd231sd	%xmm13, %xmm19, %xmm3
	vfmadd231sd	%xmm19, %xmm14, %xmm4
	vfmadd231sd	%xmm6, %xmm20, %xmm2
	vfmadd231sd	%xmm6, %xmm8, %xmm5
	vmulsd	%xmm7, %xmm15, %xmm6
	vmulsd	%xmm16, %xmm7, %xmm7
	vfmadd231sd	%xmm10, %xmm20, %xmm3
	vfmadd231sd	%xmm20, %xmm11, %xmm4
	vfmadd231sd	%xmm13, %xmm9, %xmm6
	vfmadd231sd	%xmm14, %xmm9, %xmm7
	vfmadd231sd	%xmm10, %xmm8, %xmm6
	vfmadd231sd	%xmm11, %xmm8, %xmm7
	cmpq	$4, %rdi
	ja	.LBB3_16
	movq	88(%r10,%rdx), %r8
	jmpq	*(%rsi,%rdi,8)
.LBB3_11:
	vaddsd	(%r9,%r8,8), %xmm7, %xmm7
	jmp	.LBB3_16
.LBB3_12:
	vaddsd	(%r9,%r8,8), %xmm2, %xmm2
	vaddsd	8(%r9,%r8,8), %xmm3, %xmm3
	vaddsd	16(%r9,%r8,8), %xmm4, %xmm4
	vaddsd	24(%r9,%r8,8), %xmm5, %xmm5
	vaddsd	32(%r9,%r8,8), %xmm6, %xmm6
	vaddsd	40(%r9,%r8,8), %xmm7, %xmm7
	jmp	.LBB3_16
.LBB3_13:
	vaddsd	(%r9,%r8,8), %xmm2, %xmm2
	vaddsd	8(%r9,%r8,8), %xmm3, %xmm3
	vaddsd	16(%r9,%r8,8), %xmm7, %xmm7
	jmp	.LBB3_16
.LBB3_14:
	vaddsd	(%r9,%r8,8), %xmm5, %xmm5
	vaddsd	8(%r9,%r8,8), %xmm6, %xmm6
	vaddsd	16(%r9,%r8,8), %xmm7, %xmm7
	jmp	.LBB3_16
.LBB3_15:
	movq	192(%rsp), %rdi
	vmovsd	(%r9,%r8,8), %xmm8
	vfmadd231sd	208(%rdi,%rdx,4), %xmm8, %xmm4
	vfmadd231sd	216(%rdi,%rdx,4), %xmm8, %xmm7
	.p2align	4
.LBB3_16:
	movq	192(%rsp), %rdi
	vmulsd	%xmm4, %xmm5, %xmm27
	vmulsd	%xmm2, %xmm6, %xmm22
	vmulsd	%xmm3, %xmm7, %xmm26
	vfmsub231sd	%xmm2, %xmm7, %xmm27
	vfmsub231sd	%xmm3, %xmm5, %xmm22
	vfmsub231sd	%xmm4, %xmm6, %xmm26
	vmovsd	152(%rdi,%rdx,4), %xmm11
	vmovsd	136(%rdi,%rdx,4), %xmm9
	vmovsd	144(%rdi,%rdx,4), %xmm10
	vmovsd	128(%rdi,%rdx,4), %xmm8
	vmovsd	168(%rdi,%rdx,4), %xmm13
	vmovsd	184(%rdi,%rdx,4), %xmm15
	vmovsd	192(%rdi,%rdx,4), %xmm16
	vmovsd	176(%rdi,%rdx,4), %xmm14
	vmovsd	160(%rdi,%rdx,4), %xmm12
	vmovsd	200(%rdi,%rdx,4), %xmm17
	vmulsd	%xmm5, %xmm11, %xmm21
	vmulsd	%xmm6, %xmm9, %xmm19
	vmulsd	%xmm7, %xmm10, %xmm20
	vmulsd	%xmm5, %xmm13, %xmm25
	vmulsd	%xmm5, %xmm14, %xmm23
	vmulsd	%xmm5, %xmm12, %xmm24
	vfnmadd231sd	%xmm7, %xmm9, %xmm21
	vfnmadd231sd	%xmm5, %xmm10, %xmm19
	vfnmadd231sd	%xmm6, %xmm11, %xmm20
	vfmadd231sd	%xmm6, %xmm15, %xmm25
	vfmadd231sd	%xmm6, %xmm16, %xmm23
	vfmadd231sd	%xmm6, %xmm13, %xmm24
	vfmsub231sd	%xmm3, %xmm8, %xmm21
	vfmsub231sd	%xmm4, %xmm8, %xmm19
	vfmsub231sd	%xmm2, %xmm8, %xmm20
	vfmadd231sd	%xmm7, %xmm16, %xmm25
	vfmadd231sd	%xmm7, %xmm17, %xmm23
	vfmadd231sd	%xmm7, %xmm14, %xmm24
	vmulsd	%xmm7, %xmm21, %xmm18
	vfmsub231sd	%xmm6, %xmm19, %xmm18
	vmulsd	%xmm5, %xmm19, %xmm19
	vfmsub231sd	%xmm7, %xmm20, %xmm19
	vmulsd	%xmm6, %xmm20, %xmm20
	vfmsub231sd	%xmm21, %xmm5, %xmm20
	vmulsd	%xmm27, %xmm11, %xmm21
	vfnmsub231sd	%xmm7, %xmm25, %xmm21
	vfmadd231sd	%xmm22, %xmm10, %xmm21
	vmulsd	%xmm22, %xmm9, %xmm22
	vfnmsub231sd	%xmm23, %xmm5, %xmm22
	vfmadd231sd	%xmm6, %xmm23, %xmm21
	vmulsd	%xmm26, %xmm10, %xmm23
	vfnmsub231sd	%xmm24, %xmm6, %xmm23
	vfmadd231sd	%xmm26, %xmm11, %xmm22
	vfmadd231sd	%xmm27, %xmm9, %xmm23
	vfmadd231sd	%xmm7, %xmm24, %xmm22
	vfmadd231sd	%xmm25, %xmm5, %xmm23
	testq	%r11, %r11
	je	.LBB3_6
	movq	(%r10), %rdi
	leaq	(%rdi,%rdi,2), %rdi
	shlq	$7, %rdi
	addq	304(%rsp), %rdi
	vsubsd	(%rdx,%rdi), %xmm18, %xmm18
	vsubsd	8(%rdx,%rdi), %xmm19, %xmm19
	vsubsd	16(%rdx,%rdi), %xmm20, %xmm20
	vsubsd	24(%rdx,%rdi), %xmm21, %xmm21
	vsubsd	32(%rdx,%rdi), %xmm22, %xmm22
	vsubsd	40(%rdx,%rdi), %xmm23, %xmm23
	jmp	.LBB3_6
.LBB3_18:
	movq	(%rsp), %rdi
.LBB3_19:
	xorl	%eax, %eax
	jmp	.LBB3_21
.LBB3_20:
	movq	8(%rsp), %rdi
.LBB3_21:
	movq	$0, (%rdi)
	addq	$136, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end3:
	.size	_ZN8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end3-_ZN8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.section	.rodata,"a",@progbits
	.p2align	3, 0x0
.LJTI3_0:
	.quad	.LBB3_11
	.quad	.LBB3_15
	.quad	.LBB3_13
	.quad	.LBB3_14
	.quad	.LBB3_12

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

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI5_0:
	.quad	0x3ff0000000000000
.LCPI5_1:
	.quad	0x3d06849b86a12b9b
.LCPI5_2:
	.quad	0x8000000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$1384, %rsp
	movq	%r8, 792(%rsp)
	movq	1496(%rsp), %r8
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%zmm0, 1320(%rsp)
	vmovupd	%zmm0, 1104(%rsp)
	vmovupd	%zmm0, 1280(%rsp)
	vmovupd	%zmm0, 1216(%rsp)
	movq	$0, 1032(%rsp)
	vmovupd	%zmm0, 1040(%rsp)
	vmovupd	%zmm0, 1144(%rsp)
	movq	$0, 1024(%rsp)
	movq	%r9, 800(%rsp)
	movq	%rcx, 784(%rsp)
	movq	%rdx, 776(%rsp)
	movq	%rsi, 488(%rsp)
	movq	%rdi, 328(%rsp)
	movq	(%r8), %r15
	testq	%r15, %r15
	jle	.LBB5_32
	movq	1440(%rsp), %r10
	leaq	(%r15,%r15,2), %rax
	movq	1552(%rsp), %rbx
	movq	1608(%rsp), %r9
	decq	%r15
	xorl	%r13d, %r13d
	movq	%rax, %rcx
	movq	%rax, %rdx
	shlq	$6, %rdx
	shlq	$4, %rcx
	shlq	$7, %rax
	leaq	16(%rcx,%r8), %r11
	leaq	24(%rdx,%r10), %rdx
	leaq	-384(%rax,%rbx), %r12
	movq	%r11, 808(%rsp)
	movq	%rdx, 336(%rsp)
	jmp	.LBB5_3
	.p2align	4
.LBB5_2:
	leaq	-1(%r15), %rax
	addq	$-48, %r13
	incq	%r15
	cmpq	$2, %r15
	movq	%rax, %r15
	jb	.LBB5_32
.LBB5_3:
	movq	(%r11,%r13), %rdi
	movq	8(%r11,%r13), %rbp
	movq	24(%r11,%r13), %r14
	cmpq	$5, %rbp
	jne	.LBB5_6
	testq	%rdi, %rdi
	js	.LBB5_2
	movq	(%r8), %rcx
	movq	1664(%rsp), %rdx
	leaq	24(%r10,%r14,8), %rax
	vmovsd	32(%r9,%r14,8), %xmm2
	vmovsd	8(%r9,%r14,8), %xmm5
	vmovsd	24(%r12,%r13,8), %xmm9
	vmovsd	48(%r12,%r13,8), %xmm12
	vmovsd	32(%r12,%r13,8), %xmm10
	vmovsd	56(%r12,%r13,8), %xmm13
	vmovsd	16(%r12,%r13,8), %xmm8
	vmovsd	40(%r12,%r13,8), %xmm11
	vmovsd	64(%r12,%r13,8), %xmm14
	vmovsd	40(%r9,%r14,8), %xmm1
	vmovsd	72(%r12,%r13,8), %xmm15
	vmovsd	80(%r12,%r13,8), %xmm16
	vmovsd	88(%r12,%r13,8), %xmm17
	shlq	$6, %rcx
	leaq	(%rcx,%rcx,2), %rcx
	vmovsd	40(%rax,%rcx), %xmm20
	vmovsd	32(%rax,%rcx), %xmm3
	vmovsd	24(%rax,%rcx), %xmm4
	vmovsd	8(%rax,%rcx), %xmm6
	vmovsd	16(%rax,%rcx), %xmm7
	vmovsd	48(%rax,%rcx), %xmm0
	leaq	(%rdi,%rdi,2), %rax
	vfnmadd213sd	32(%rdx,%r14,8), %xmm2, %xmm20
	vmovsd	24(%r9,%r14,8), %xmm2
	vfnmadd213sd	8(%rdx,%r14,8), %xmm5, %xmm7
	vmovsd	8(%r12,%r13,8), %xmm5
	vfnmadd213sd	40(%rdx,%r14,8), %xmm1, %xmm0
	vfnmadd213sd	24(%rdx,%r14,8), %xmm3, %xmm2
	vmovsd	16(%r9,%r14,8), %xmm3
	shlq	$7, %rax
	vfnmadd213sd	16(%rdx,%r14,8), %xmm3, %xmm4
	vmovsd	(%r9,%r14,8), %xmm3
	vfnmadd213sd	(%rdx,%r14,8), %xmm3, %xmm6
	vmovsd	(%r12,%r13,8), %xmm3
	vmulsd	%xmm3, %xmm6, %xmm18
	vmulsd	%xmm6, %xmm9, %xmm19
	vmulsd	%xmm6, %xmm12, %xmm6
	vmulsd	%xmm2, %xmm3, %xmm3
	vfmadd231sd	%xmm7, %xmm5, %xmm18
	vfmadd231sd	%xmm7, %xmm10, %xmm19
	vfmadd231sd	%xmm7, %xmm13, %xmm6
	vfmadd231sd	%xmm5, %xmm20, %xmm3
	vfmadd231sd	%xmm4, %xmm8, %xmm18
	vfmadd231sd	%xmm4, %xmm11, %xmm19
	vfmadd231sd	%xmm4, %xmm14, %xmm6
	vmulsd	%xmm2, %xmm9, %xmm4
	vmulsd	%xmm2, %xmm12, %xmm2
	vaddsd	144(%rbx,%rax), %xmm18, %xmm7
	vaddsd	152(%rbx,%rax), %xmm19, %xmm9
	vaddsd	160(%rbx,%rax), %xmm6, %xmm12
	vfmadd231sd	%xmm8, %xmm0, %xmm3
	vfmadd231sd	%xmm10, %xmm20, %xmm4
	vfmadd231sd	%xmm20, %xmm13, %xmm2
	vfmadd231sd	%xmm16, %xmm6, %xmm3
	vfmadd231sd	%xmm11, %xmm0, %xmm4
	vfmadd231sd	%xmm0, %xmm14, %xmm2
	vfnmadd231sd	%xmm17, %xmm19, %xmm3
	vmovsd	%xmm7, 144(%rbx,%rax)
	vmovsd	%xmm9, 152(%rbx,%rax)
	vmovsd	%xmm12, 160(%rbx,%rax)
	vfmsub231sd	%xmm6, %xmm15, %xmm4
	vfmadd231sd	%xmm19, %xmm15, %xmm2
	vaddsd	168(%rbx,%rax), %xmm3, %xmm3
	vfmsub231sd	%xmm17, %xmm18, %xmm4
	vfnmadd231sd	%xmm18, %xmm16, %xmm2
	vaddsd	176(%rbx,%rax), %xmm4, %xmm4
	vaddsd	184(%rbx,%rax), %xmm2, %xmm0
	vmovsd	%xmm3, 168(%rbx,%rax)
	vmovsd	%xmm4, 176(%rbx,%rax)
	vmovsd	%xmm0, 184(%rbx,%rax)
	jmp	.LBB5_2
	.p2align	4
.LBB5_6:
	vmovsd	192(%r12,%r13,8), %xmm0
	vmovsd	144(%r12,%r13,8), %xmm3
	vmovsd	184(%r12,%r13,8), %xmm1
	vmovsd	208(%r12,%r13,8), %xmm18
	vmovsd	224(%r12,%r13,8), %xmm21
	vmovsd	232(%r12,%r13,8), %xmm15
	vmovsd	256(%r12,%r13,8), %xmm26
	vmovsd	272(%r12,%r13,8), %xmm29
	vmovsd	280(%r12,%r13,8), %xmm28
	vmovsd	288(%r12,%r13,8), %xmm27
	vmovsd	296(%r12,%r13,8), %xmm30
	vmovsd	304(%r12,%r13,8), %xmm25
	vmovsd	312(%r12,%r13,8), %xmm19
	vmovsd	320(%r12,%r13,8), %xmm13
	vmovsd	328(%r12,%r13,8), %xmm14
	vmovsd	336(%r12,%r13,8), %xmm10
	vmovsd	344(%r12,%r13,8), %xmm9
	vmovsd	352(%r12,%r13,8), %xmm8
	vmovsd	152(%r12,%r13,8), %xmm22
	vmovsd	160(%r12,%r13,8), %xmm23
	vmovsd	168(%r12,%r13,8), %xmm20
	vmovsd	176(%r12,%r13,8), %xmm16
	leaq	-1(%rbp), %rax
	vmovaps	%xmm0, 240(%rsp)
	vmovsd	200(%r12,%r13,8), %xmm0
	vmovsd	%xmm1, 216(%rsp)
	vmovapd	%xmm3, 464(%rsp)
	vmovaps	%xmm0, 256(%rsp)
	vmovsd	216(%r12,%r13,8), %xmm0
	vmovaps	%xmm0, 224(%rsp)
	vmovsd	240(%r12,%r13,8), %xmm0
	vmovaps	%xmm0, 304(%rsp)
	vmovsd	248(%r12,%r13,8), %xmm0
	vmovaps	%xmm0, 288(%rsp)
	vmovsd	264(%r12,%r13,8), %xmm0
	vmovapd	%xmm0, 272(%rsp)
	cmpq	$1, %rax
	ja	.LBB5_9
	vmovsd	%xmm8, 208(%rsp)
	cmpq	$1, %rbp
	jne	.LBB5_15
	movq	(%r8), %rax
	movq	16(%r8), %rcx
	vmovapd	224(%rsp), %xmm0
	leaq	(%r10,%r14,8), %rdx
	vmovapd	%xmm15, %xmm5
	vmovapd	%xmm30, %xmm1
	vmovapd	%xmm25, %xmm2
	vmovapd	%xmm18, %xmm3
	vmovapd	%xmm21, %xmm4
	vaddsd	240(%rsp), %xmm0, %xmm0
	leaq	(%rax,%rax,2), %rax
	shlq	$6, %rax
	leaq	(%rdx,%rax), %rsi
	leaq	32(%rax,%rdx), %rax
	vaddsd	32(%rsi,%rcx,8), %xmm15, %xmm6
	vaddsd	%xmm0, %xmm15, %xmm7
	vmovapd	%xmm27, %xmm0
	vucomisd	%xmm6, %xmm6
	jnp	.LBB5_16
	jmp	.LBB5_35
	.p2align	4
.LBB5_9:
	leaq	-3(%rbp), %rax
	cmpq	$2, %rax
	jae	.LBB5_21
	vmovapd	240(%rsp), %xmm1
	cmpq	$4, %rbp
	movq	(%r8), %rcx
	vmovapd	%xmm19, %xmm0
	vmovapd	224(%rsp), %xmm2
	movq	16(%r8), %rsi
	leaq	(%r10,%r14,8), %rax
	movq	%rdi, 208(%rsp)
	vmovapd	%xmm13, %xmm5
	vmovapd	%xmm27, %xmm7
	vmovapd	%xmm30, %xmm31
	sete	%dl
	kmovd	%edx, %k1
	leaq	(%rcx,%rcx,2), %rcx
	shlq	$6, %rcx
	vmovsd	%xmm1, %xmm0, %xmm0 {%k1}
	vmovapd	256(%rsp), %xmm1
	leaq	(%rax,%rcx), %rdi
	vaddsd	48(%rdi,%rsi,8), %xmm15, %xmm11
	vmovsd	%xmm18, %xmm7, %xmm7 {%k1}
	vmovsd	%xmm21, %xmm31, %xmm31 {%k1}
	vaddsd	32(%rdi,%rsi,8), %xmm0, %xmm12
	vmulsd	%xmm31, %xmm31, %xmm17
	vmovsd	%xmm1, %xmm5, %xmm5 {%k1}
	vmovapd	%xmm10, %xmm1
	vmovsd	%xmm2, %xmm1, %xmm1 {%k1}
	vaddsd	40(%rdi,%rsi,8), %xmm1, %xmm6
	vmulsd	%xmm5, %xmm11, %xmm24
	vfmsub231sd	%xmm7, %xmm31, %xmm24
	vmulsd	%xmm7, %xmm6, %xmm2
	vfmsub231sd	%xmm6, %xmm11, %xmm17
	vfmsub231sd	%xmm31, %xmm5, %xmm2
	vmulsd	%xmm7, %xmm2, %xmm4
	vfmadd231sd	%xmm5, %xmm24, %xmm4
	vfmadd231sd	%xmm12, %xmm17, %xmm4
	vucomisd	%xmm4, %xmm4
	jp	.LBB5_35
	vmovapd	224(%rsp), %xmm0
	vaddsd	%xmm19, %xmm10, %xmm1
	movabsq	$.LCPI5_1, %rdx
	vaddsd	240(%rsp), %xmm0, %xmm0
	vaddsd	%xmm1, %xmm8, %xmm1
	vaddsd	%xmm0, %xmm15, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm0, %xmm1, %xmm1 {%k1}
	vmulsd	%xmm1, %xmm1, %xmm0
	vmulsd	(%rdx), %xmm0, %xmm0
	vmulsd	%xmm1, %xmm0, %xmm0
	vucomisd	%xmm4, %xmm0
	jae	.LBB5_35
	leaq	32(%rcx,%rax), %rax
	cmpq	$4, %rbp
	vmovsd	%xmm4, 408(%rsp)
	vmovsd	%xmm2, 416(%rsp)
	vmovapd	%xmm22, %xmm4
	sete	%cl
	cmpq	$0, 208(%rsp)
	vmovsd	(%rax), %xmm0
	kmovd	%ecx, %k1
	vmovsd	8(%rax), %xmm1
	vmovsd	16(%rax), %xmm2
	movq	1664(%rsp), %rax
	vmovsd	%xmm20, %xmm3, %xmm3 {%k1}
	vmovsd	%xmm16, %xmm4, %xmm4 {%k1}
	vfnmsub231sd	(%r9,%r14,8), %xmm0, %xmm3
	vmovsd	216(%rsp), %xmm0
	vfnmsub231sd	8(%r9,%r14,8), %xmm1, %xmm4
	vfnmsub132sd	16(%r9,%r14,8), %xmm0, %xmm2
	vaddsd	(%rax,%r14,8), %xmm3, %xmm3
	vaddsd	8(%rax,%r14,8), %xmm4, %xmm1
	vaddsd	16(%rax,%r14,8), %xmm2, %xmm0
	vmovsd	%xmm3, 360(%r12,%r13,8)
	vmovsd	%xmm1, 368(%r12,%r13,8)
	vmovsd	%xmm0, 376(%r12,%r13,8)
	js	.LBB5_2
	movq	1504(%rsp), %rcx
	movq	1488(%rsp), %rdx
	vmovsd	%xmm0, 384(%rsp)
	vmovaps	272(%rsp), %xmm0
	vmovapd	%xmm7, 512(%rsp)
	vmovsd	%xmm6, 376(%rsp)
	vmovsd	%xmm1, 392(%rsp)
	vmovsd	%xmm3, 400(%rsp)
	vmovaps	256(%rsp), %xmm1
	vmovapd	224(%rsp), %xmm3
	vmovapd	304(%rsp), %xmm6
	vmovaps	288(%rsp), %xmm7
	movq	1512(%rsp), %rax
	movq	%r8, 56(%rsp)
	movq	792(%rsp), %r8
	movq	800(%rsp), %r9
	leaq	1216(%rsp), %rdi
	leaq	1032(%rsp), %rsi
	vmovapd	%xmm5, 528(%rsp)
	vmovapd	%xmm31, 496(%rsp)
	vmovsd	%xmm24, 344(%rsp)
	vmovsd	%xmm17, 352(%rsp)
	vmovsd	%xmm12, 360(%rsp)
	vmovsd	%xmm11, 368(%rsp)
	vmovsd	%xmm23, 440(%rsp)
	vmovapd	%xmm22, 736(%rsp)
	vmovapd	%xmm20, 448(%rsp)
	vmovapd	%xmm16, 752(%rsp)
	vmovsd	%xmm8, 192(%rsp)
	vmovapd	%xmm9, 656(%rsp)
	vmovsd	%xmm9, 184(%rsp)
	vmovapd	%xmm10, 720(%rsp)
	vmovsd	%xmm10, 176(%rsp)
	vmovapd	%xmm14, 672(%rsp)
	vmovsd	%xmm14, 168(%rsp)
	vmovapd	%xmm13, 688(%rsp)
	vmovsd	%xmm13, 160(%rsp)
	vmovapd	%xmm19, 704(%rsp)
	vmovsd	%xmm19, 152(%rsp)
	vmovsd	%xmm25, 424(%rsp)
	vmovsd	%xmm25, 144(%rsp)
	vmovapd	%xmm30, 576(%rsp)
	vmovsd	%xmm30, 136(%rsp)
	vmovapd	%xmm27, 608(%rsp)
	vmovsd	%xmm27, 128(%rsp)
	vmovsd	%xmm28, 120(%rsp)
	vmovapd	%xmm29, 640(%rsp)
	vmovsd	%xmm29, 112(%rsp)
	vmovapd	%xmm26, 624(%rsp)
	vmovsd	%xmm26, 96(%rsp)
	movq	%r14, 88(%rsp)
	movq	%rbp, 80(%rsp)
	movq	%r10, (%rsp)
	vmovapd	%xmm18, 592(%rsp)
	vmovapd	%xmm18, %xmm2
	vmovapd	%xmm21, 560(%rsp)
	vmovapd	%xmm21, %xmm4
	vmovsd	%xmm15, 432(%rsp)
	vmovapd	%xmm15, %xmm5
	vmovapd	%xmm28, 544(%rsp)
	movq	%rcx, 64(%rsp)
	movq	1480(%rsp), %rcx
	movq	%rdx, 48(%rsp)
	movq	1472(%rsp), %rdx
	movq	%rax, 72(%rsp)
	movabsq	$_ZN8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29, %rax
	vmovsd	%xmm0, 104(%rsp)
	vmovaps	240(%rsp), %xmm0
	movq	%rcx, 40(%rsp)
	movq	1464(%rsp), %rcx
	movq	%rdx, 32(%rsp)
	movq	1456(%rsp), %rdx
	movq	%rcx, 24(%rsp)
	movq	1448(%rsp), %rcx
	movq	%rdx, 16(%rsp)
	movq	776(%rsp), %rdx
	movq	%rcx, 8(%rsp)
	movq	784(%rsp), %rcx
	vzeroupper
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB5_36
	vmovapd	512(%rsp), %xmm2
	vmovsd	368(%rsp), %xmm4
	vmovsd	360(%rsp), %xmm3
	vmovapd	528(%rsp), %xmm1
	vmovsd	376(%rsp), %xmm7
	movabsq	$.LCPI5_0, %rax
	vmovapd	656(%rsp), %xmm24
	vmovapd	720(%rsp), %xmm18
	vmovapd	640(%rsp), %xmm25
	cmpq	$4, %rbp
	vmovsd	400(%rsp), %xmm12
	vmovsd	392(%rsp), %xmm13
	vmovsd	384(%rsp), %xmm14
	vmovapd	736(%rsp), %xmm22
	vmovapd	752(%rsp), %xmm16
	vmovapd	448(%rsp), %xmm20
	vmovapd	592(%rsp), %xmm8
	vmovsd	432(%rsp), %xmm15
	vmovsd	424(%rsp), %xmm23
	vmovapd	688(%rsp), %xmm19
	vmovapd	288(%rsp), %xmm9
	vmovapd	256(%rsp), %xmm10
	vmovapd	272(%rsp), %xmm26
	vmovapd	704(%rsp), %xmm17
	vmovapd	240(%rsp), %xmm11
	vmovapd	672(%rsp), %xmm21
	vmovsd	1296(%rsp), %xmm29
	vmovsd	1304(%rsp), %xmm28
	vmovsd	1312(%rsp), %xmm27
	vmovsd	1320(%rsp), %xmm30
	movq	1608(%rsp), %r9
	movq	208(%rsp), %rdi
	vmulsd	%xmm2, %xmm2, %xmm0
	vfmsub213sd	%xmm0, %xmm3, %xmm4
	vmulsd	496(%rsp), %xmm3, %xmm0
	vfmsub231sd	%xmm2, %xmm1, %xmm0
	vmulsd	%xmm1, %xmm1, %xmm1
	vfmsub213sd	%xmm1, %xmm3, %xmm7
	vmovsd	(%rax), %xmm1
	sete	%al
	vdivsd	408(%rsp), %xmm1, %xmm6
	kmovd	%eax, %k1
	vmulsd	416(%rsp), %xmm6, %xmm3
	vmulsd	352(%rsp), %xmm6, %xmm1
	vmulsd	344(%rsp), %xmm6, %xmm2
	vmulsd	%xmm0, %xmm6, %xmm5
	vmovapd	544(%rsp), %xmm0
	vmulsd	%xmm4, %xmm6, %xmm4
	vmulsd	%xmm7, %xmm6, %xmm6
	vmovapd	560(%rsp), %xmm7
	vmulsd	%xmm1, %xmm12, %xmm1
	vfmadd231sd	%xmm2, %xmm13, %xmm1
	vmovsd	%xmm0, %xmm24, %xmm24 {%k1}
	vmovsd	%xmm25, %xmm18, %xmm18 {%k1}
	vmovapd	224(%rsp), %xmm0
	vfmadd231sd	%xmm3, %xmm14, %xmm1
	vmovsd	%xmm0, %xmm25, %xmm25 {%k1}
	vmulsd	%xmm3, %xmm12, %xmm0
	vfmadd231sd	%xmm5, %xmm13, %xmm0
	vfmadd231sd	%xmm6, %xmm14, %xmm0
	vmovapd	576(%rsp), %xmm6
	vfmadd213sd	216(%rsp), %xmm0, %xmm15
	vfmadd213sd	440(%rsp), %xmm0, %xmm23
	vfmadd231sd	%xmm7, %xmm0, %xmm16
	vfmadd231sd	%xmm8, %xmm0, %xmm20
	vfmadd231sd	%xmm6, %xmm0, %xmm22
	vmovsd	%xmm7, %xmm6, %xmm6 {%k1}
	vmovapd	608(%rsp), %xmm7
	vfmadd213sd	464(%rsp), %xmm7, %xmm0
	vmovsd	%xmm8, %xmm7, %xmm7 {%k1}
	vmovapd	%xmm19, %xmm8
	vmovsd	%xmm9, %xmm19, %xmm19 {%k1}
	vmovsd	%xmm26, %xmm8, %xmm8 {%k1}
	vmovsd	%xmm10, %xmm26, %xmm26 {%k1}
	vmovsd	%xmm10, %xmm9, %xmm9 {%k1}
	vmovapd	304(%rsp), %xmm10
	vfmadd231sd	%xmm26, %xmm1, %xmm16
	vfmadd231sd	%xmm19, %xmm1, %xmm22
	vfmadd231sd	%xmm7, %xmm1, %xmm15
	vmovsd	1280(%rsp), %xmm26
	vmovsd	1336(%rsp), %xmm19
	vmovsd	%xmm10, %xmm17, %xmm17 {%k1}
	vmovsd	%xmm11, %xmm10, %xmm10 {%k1}
	vmovapd	624(%rsp), %xmm11
	vfmadd231sd	%xmm10, %xmm1, %xmm20
	vmovsd	1360(%rsp), %xmm10
	vmovsd	%xmm11, %xmm21, %xmm21 {%k1}
	vmulsd	%xmm2, %xmm12, %xmm11
	vmovsd	1264(%rsp), %xmm2
	vfmadd231sd	%xmm1, %xmm17, %xmm0
	vfmadd231sd	%xmm21, %xmm1, %xmm23
	vmovsd	1216(%rsp), %xmm1
	vmovsd	1248(%rsp), %xmm21
	vfmadd231sd	%xmm4, %xmm13, %xmm11
	vmovsd	1344(%rsp), %xmm13
	vfmadd231sd	%xmm5, %xmm14, %xmm11
	vmovsd	1352(%rsp), %xmm14
	vmovaps	%xmm2, 304(%rsp)
	vmovsd	1272(%rsp), %xmm2
	vmovaps	%xmm1, 240(%rsp)
	vmovsd	1224(%rsp), %xmm1
	vfmadd231sd	%xmm6, %xmm11, %xmm15
	vfmadd231sd	%xmm11, %xmm8, %xmm0
	vfmadd231sd	%xmm25, %xmm11, %xmm16
	vfmadd231sd	%xmm9, %xmm11, %xmm20
	vfmadd231sd	%xmm18, %xmm11, %xmm22
	vmovsd	1232(%rsp), %xmm18
	vmovsd	1328(%rsp), %xmm25
	vmovsd	1368(%rsp), %xmm9
	vmovsd	1376(%rsp), %xmm8
	vfmadd231sd	%xmm24, %xmm11, %xmm23
	vmovsd	%xmm15, 216(%rsp)
	vmovsd	1256(%rsp), %xmm15
	vmovapd	%xmm0, 464(%rsp)
	vmovaps	%xmm2, 288(%rsp)
	vmovsd	1288(%rsp), %xmm2
	vmovaps	%xmm1, 256(%rsp)
	vmovsd	1240(%rsp), %xmm1
	vmovapd	%xmm2, 272(%rsp)
	vmovapd	%xmm1, 224(%rsp)
	jmp	.LBB5_22
.LBB5_15:
	movq	336(%rsp), %rax
	movq	16(%r8), %rdx
	leaq	(%r10,%r14,8), %rcx
	vmovapd	224(%rsp), %xmm12
	vmovapd	%xmm20, 448(%rsp)
	vmovapd	%xmm23, %xmm17
	vmovapd	%xmm28, %xmm23
	vmovapd	448(%rsp), %xmm20
	vmovsd	-8(%rax,%r13,4), %xmm6
	vmovsd	(%rax,%r13,4), %xmm7
	movq	(%r8), %rax
	leaq	(%rax,%rax,2), %rax
	shlq	$6, %rax
	vmulsd	%xmm6, %xmm8, %xmm2
	leaq	(%rcx,%rax), %rsi
	vmulsd	%xmm28, %xmm6, %xmm4
	vmulsd	%xmm6, %xmm14, %xmm0
	vmulsd	%xmm6, %xmm9, %xmm1
	vmulsd	%xmm26, %xmm6, %xmm3
	vmulsd	%xmm25, %xmm6, %xmm5
	vmovapd	%xmm8, %xmm28
	vaddsd	%xmm19, %xmm15, %xmm8
	vaddsd	%xmm28, %xmm10, %xmm11
	vmovapd	%xmm23, %xmm28
	leaq	32(%rax,%rcx), %rax
	vmovapd	%xmm17, %xmm23
	vfmadd231sd	%xmm25, %xmm7, %xmm2
	vfmadd213sd	32(%rsi,%rdx,8), %xmm2, %xmm6
	vfmadd231sd	%xmm15, %xmm7, %xmm5
	vfmadd231sd	%xmm27, %xmm7, %xmm0
	vfmadd231sd	%xmm30, %xmm7, %xmm1
	vfmadd231sd	%xmm18, %xmm7, %xmm3
	vfmadd231sd	%xmm21, %xmm7, %xmm4
	vfmadd231sd	%xmm7, %xmm5, %xmm6
	vmovapd	240(%rsp), %xmm7
	vaddsd	%xmm7, %xmm12, %xmm7
	vaddsd	%xmm7, %xmm8, %xmm7
	vaddsd	%xmm7, %xmm11, %xmm7
	vucomisd	%xmm6, %xmm6
	jp	.LBB5_35
.LBB5_16:
	movabsq	$.LCPI5_1, %rcx
	vmulsd	(%rcx), %xmm7, %xmm7
	vucomisd	%xmm6, %xmm7
	jae	.LBB5_35
	vmovsd	216(%rsp), %xmm7
	cmpq	$1, %rbp
	je	.LBB5_19
	movq	336(%rsp), %rcx
	vmovsd	216(%rsp), %xmm8
	vmulsd	-8(%rcx,%r13,4), %xmm23, %xmm7
	vfmadd231sd	(%rcx,%r13,4), %xmm8, %xmm7
.LBB5_19:
	vmovsd	(%r9,%r14,8), %xmm8
	movq	1664(%rsp), %rdx
	movabsq	$.LCPI5_0, %rcx
	vfnmsub132sd	(%rax), %xmm7, %xmm8
	vaddsd	(%rdx,%r14,8), %xmm8, %xmm7
	vmovsd	(%rcx), %xmm8
	vdivsd	%xmm6, %xmm8, %xmm6
	vmovsd	%xmm6, 360(%r12,%r13,8)
	vmovsd	%xmm7, 368(%r12,%r13,8)
	testq	%rdi, %rdi
	js	.LBB5_2
	vmovapd	240(%rsp), %xmm12
	vmovapd	256(%rsp), %xmm17
	vmovapd	224(%rsp), %xmm11
	vmulsd	%xmm3, %xmm3, %xmm8
	vmovapd	%xmm23, %xmm24
	vmovapd	304(%rsp), %xmm23
	vfnmadd231sd	%xmm8, %xmm6, %xmm12
	vmulsd	%xmm6, %xmm4, %xmm8
	vfnmadd231sd	%xmm3, %xmm8, %xmm17
	vfnmadd231sd	%xmm8, %xmm4, %xmm11
	vmulsd	%xmm6, %xmm5, %xmm8
	vmovapd	%xmm12, 240(%rsp)
	vfnmadd231sd	%xmm3, %xmm8, %xmm18
	vfnmadd231sd	%xmm4, %xmm8, %xmm21
	vfnmadd231sd	%xmm8, %xmm5, %xmm15
	vmulsd	%xmm6, %xmm0, %xmm8
	vmovapd	%xmm11, 224(%rsp)
	vmovapd	%xmm17, 256(%rsp)
	vfnmadd231sd	%xmm8, %xmm3, %xmm23
	vfnmadd231sd	%xmm8, %xmm5, %xmm27
	vfnmadd231sd	%xmm8, %xmm0, %xmm19
	vmovapd	%xmm23, 304(%rsp)
	vmovapd	272(%rsp), %xmm23
	vfnmadd231sd	%xmm8, %xmm4, %xmm23
	vmulsd	%xmm6, %xmm1, %xmm8
	vfnmadd231sd	%xmm8, %xmm4, %xmm29
	vfnmadd231sd	%xmm8, %xmm5, %xmm30
	vfnmadd231sd	%xmm0, %xmm8, %xmm13
	vfnmadd231sd	%xmm8, %xmm1, %xmm10
	vmovapd	%xmm23, 272(%rsp)
	vmovapd	288(%rsp), %xmm23
	vfnmadd231sd	%xmm8, %xmm3, %xmm23
	vmulsd	%xmm6, %xmm2, %xmm8
	vmulsd	%xmm6, %xmm7, %xmm6
	vmovapd	464(%rsp), %xmm7
	vfnmadd231sd	%xmm1, %xmm8, %xmm9
	vfnmadd231sd	%xmm8, %xmm5, %xmm25
	vfnmadd231sd	%xmm0, %xmm8, %xmm14
	vfnmadd231sd	%xmm3, %xmm8, %xmm26
	vfnmadd231sd	%xmm8, %xmm4, %xmm28
	vfmadd231sd	%xmm1, %xmm6, %xmm22
	vfmadd231sd	%xmm4, %xmm6, %xmm16
	vmovapd	%xmm23, 288(%rsp)
	vmovapd	%xmm20, %xmm23
	vmovapd	%xmm23, %xmm20
	vmovapd	%xmm24, %xmm23
	vfmadd231sd	%xmm2, %xmm6, %xmm23
	vfmadd231sd	%xmm3, %xmm6, %xmm20
	vmovapd	%xmm9, %xmm11
	vmovapd	%xmm25, %xmm9
	vmovsd	208(%rsp), %xmm25
	vfmadd231sd	%xmm0, %xmm6, %xmm7
	vmovsd	216(%rsp), %xmm0
	vmovapd	%xmm7, 464(%rsp)
	vfnmadd231sd	%xmm8, %xmm2, %xmm25
	vfmadd231sd	%xmm5, %xmm6, %xmm0
	vmovsd	%xmm25, 208(%rsp)
	vmovapd	%xmm9, %xmm25
	vmovapd	%xmm11, %xmm9
	vmovsd	208(%rsp), %xmm8
	vmovsd	%xmm0, 216(%rsp)
	jmp	.LBB5_22
.LBB5_21:
	testq	%rdi, %rdi
	js	.LBB5_2
.LBB5_22:
	vmovsd	96(%r12,%r13,8), %xmm2
	vmovsd	104(%r12,%r13,8), %xmm4
	vmovsd	112(%r12,%r13,8), %xmm5
	vmovsd	120(%r12,%r13,8), %xmm0
	vmovsd	128(%r12,%r13,8), %xmm1
	vmovsd	136(%r12,%r13,8), %xmm3
	vmovsd	%xmm23, 440(%rsp)
	vmovapd	%xmm22, 736(%rsp)
	vmovapd	%xmm20, 448(%rsp)
	vmovapd	%xmm16, 752(%rsp)
	vxorpd	%xmm23, %xmm23, %xmm23
	cmpq	$4, %rbp
	ja	.LBB5_28
	movabsq	$.LJTI5_0, %rax
	vxorpd	%xmm11, %xmm11, %xmm11
	vxorpd	%xmm12, %xmm12, %xmm12
	vxorpd	%xmm17, %xmm17, %xmm17
	vxorpd	%xmm6, %xmm6, %xmm6
	vxorpd	%xmm24, %xmm24, %xmm24
	jmpq	*(%rax,%rbp,8)
.LBB5_24:
	movabsq	$.LCPI5_2, %rax
	vmovsd	(%r9,%r14,8), %xmm3
	vmovddup	(%rax), %xmm5
	vmulsd	%xmm4, %xmm3, %xmm11
	vmulsd	%xmm1, %xmm3, %xmm17
	vxorpd	%xmm5, %xmm2, %xmm2
	vxorpd	%xmm5, %xmm0, %xmm0
	vmulsd	%xmm2, %xmm3, %xmm12
	vmulsd	%xmm0, %xmm3, %xmm6
	jmp	.LBB5_30
.LBB5_25:
	vmovsd	(%r9,%r14,8), %xmm23
	vmovsd	8(%r9,%r14,8), %xmm7
	vmovsd	16(%r9,%r14,8), %xmm6
	vmovapd	%xmm10, %xmm22
	vmovapd	%xmm8, %xmm20
	vmovapd	%xmm9, %xmm16
	vxorpd	%xmm8, %xmm8, %xmm8
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm10, %xmm10, %xmm10
	jmp	.LBB5_29
.LBB5_26:
	movq	336(%rsp), %rax
	vmovsd	(%r9,%r14,8), %xmm6
	vmovapd	%xmm10, %xmm22
	vmovapd	%xmm8, %xmm20
	vmovapd	%xmm9, %xmm16
	vxorpd	%xmm8, %xmm8, %xmm8
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm7, %xmm7, %xmm7
	vmulsd	-8(%rax,%r13,4), %xmm6, %xmm10
	vmulsd	(%rax,%r13,4), %xmm6, %xmm6
	jmp	.LBB5_29
.LBB5_27:
	vmovapd	%xmm8, %xmm20
	vmovapd	%xmm9, %xmm16
	vmovsd	(%r9,%r14,8), %xmm8
	vmovsd	8(%r9,%r14,8), %xmm9
	vmovsd	16(%r9,%r14,8), %xmm6
	vmovapd	%xmm10, %xmm22
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm7, %xmm7, %xmm7
	jmp	.LBB5_29
.LBB5_28:
	vmovapd	%xmm10, %xmm22
	vmovapd	%xmm8, %xmm20
	vmovapd	%xmm9, %xmm16
	vxorpd	%xmm8, %xmm8, %xmm8
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm7, %xmm7, %xmm7
	vxorpd	%xmm6, %xmm6, %xmm6
.LBB5_29:
	vmulsd	%xmm0, %xmm10, %xmm12
	vmulsd	%xmm3, %xmm9, %xmm11
	vmulsd	%xmm3, %xmm7, %xmm17
	vmulsd	%xmm1, %xmm23, %xmm24
	vfnmsub231sd	%xmm2, %xmm6, %xmm12
	vfnmsub231sd	%xmm5, %xmm7, %xmm11
	vfmsub231sd	%xmm1, %xmm6, %xmm17
	vfmsub231sd	%xmm0, %xmm7, %xmm24
	vfmadd231sd	%xmm3, %xmm8, %xmm12
	vfmadd231sd	%xmm1, %xmm10, %xmm11
	vmovapd	%xmm22, %xmm10
	vfmadd231sd	%xmm5, %xmm23, %xmm12
	vmulsd	%xmm1, %xmm8, %xmm5
	vfmadd231sd	%xmm4, %xmm6, %xmm11
	vmulsd	%xmm0, %xmm6, %xmm6
	vmovapd	%xmm20, %xmm8
	vfnmsub231sd	%xmm4, %xmm23, %xmm5
	vfmsub231sd	%xmm3, %xmm23, %xmm6
	vfmadd231sd	%xmm9, %xmm0, %xmm5
	vmovapd	%xmm16, %xmm9
	vfmadd231sd	%xmm2, %xmm7, %xmm5
	vmovapd	%xmm5, %xmm23
.LBB5_30:
	shlq	$7, %rdi
	vmovsd	%xmm6, 832(%rsp)
	vmovsd	%xmm24, 816(%rsp)
	vmovsd	%xmm11, 848(%rsp)
	vmovsd	%xmm23, 392(%rsp)
	vmovsd	(%r12,%r13,8), %xmm0
	vmovsd	8(%r12,%r13,8), %xmm1
	vmovsd	16(%r12,%r13,8), %xmm2
	vmovsd	24(%r12,%r13,8), %xmm31
	vmovsd	32(%r12,%r13,8), %xmm4
	vmovsd	40(%r12,%r13,8), %xmm5
	vmovsd	48(%r12,%r13,8), %xmm11
	vmovsd	56(%r12,%r13,8), %xmm7
	vmovsd	64(%r12,%r13,8), %xmm22
	vmovsd	72(%r12,%r13,8), %xmm23
	vmovsd	80(%r12,%r13,8), %xmm24
	vmovsd	88(%r12,%r13,8), %xmm3
	leaq	1024(%rsp), %rsi
	movabsq	$_ZN8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29, %rax
	vmovsd	%xmm8, 208(%rsp)
	vmovsd	%xmm17, 824(%rsp)
	vmovsd	%xmm12, 840(%rsp)
	vmovapd	%xmm9, 656(%rsp)
	vmovapd	%xmm10, 720(%rsp)
	vmovapd	%xmm14, 672(%rsp)
	vmovapd	%xmm13, 688(%rsp)
	vmovapd	%xmm19, 704(%rsp)
	vmovsd	%xmm25, 424(%rsp)
	vmovapd	%xmm30, 576(%rsp)
	vmovapd	%xmm27, 608(%rsp)
	vmovapd	%xmm29, 640(%rsp)
	vmovapd	%xmm26, 624(%rsp)
	vmovsd	%xmm15, 432(%rsp)
	vmovapd	%xmm21, 560(%rsp)
	vmovapd	%xmm18, 592(%rsp)
	vmovapd	%xmm28, 544(%rsp)
	leaq	(%rdi,%rdi,2), %r14
	leaq	1040(%rsp), %rdi
	vmovsd	192(%rbx,%r14), %xmm6
	vmovsd	%xmm3, 400(%rsp)
	vmovsd	%xmm24, 416(%rsp)
	vmovsd	%xmm23, 408(%rsp)
	vmovsd	%xmm22, 376(%rsp)
	vmovsd	%xmm0, 872(%rsp)
	vmovsd	%xmm1, 880(%rsp)
	vmovsd	%xmm2, 384(%rsp)
	vmovsd	%xmm31, 864(%rsp)
	vmovsd	%xmm4, 888(%rsp)
	vmovsd	%xmm5, 528(%rsp)
	vmovsd	%xmm11, 856(%rsp)
	vmovsd	%xmm7, 512(%rsp)
	vmovsd	%xmm6, 368(%rsp)
	vmovsd	200(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 360(%rsp)
	vmovsd	208(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 352(%rsp)
	vmovsd	216(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 344(%rsp)
	vmovsd	224(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 496(%rsp)
	vmovsd	232(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 1016(%rsp)
	vmovsd	240(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 1008(%rsp)
	vmovsd	248(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 1000(%rsp)
	vmovsd	256(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 992(%rsp)
	vmovsd	264(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 984(%rsp)
	vmovsd	272(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 976(%rsp)
	vmovsd	280(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 968(%rsp)
	vmovsd	288(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 960(%rsp)
	vmovsd	296(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 952(%rsp)
	vmovsd	304(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 944(%rsp)
	vmovsd	312(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 936(%rsp)
	vmovsd	320(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 928(%rsp)
	vmovsd	328(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 920(%rsp)
	vmovsd	336(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 912(%rsp)
	vmovsd	344(%rbx,%r14), %xmm6
	vmovsd	%xmm6, 904(%rsp)
	vmovsd	352(%rbx,%r14), %xmm6
	vmovsd	%xmm3, 24(%rsp)
	vmovsd	%xmm8, 192(%rsp)
	vmovsd	%xmm9, 184(%rsp)
	vmovsd	%xmm10, 176(%rsp)
	vmovsd	%xmm14, 168(%rsp)
	vmovsd	%xmm13, 160(%rsp)
	vmovsd	%xmm19, 152(%rsp)
	vmovsd	%xmm25, 144(%rsp)
	vmovsd	%xmm30, 136(%rsp)
	vmovsd	%xmm27, 128(%rsp)
	vmovsd	%xmm28, 120(%rsp)
	vmovsd	%xmm29, 112(%rsp)
	vmovsd	%xmm26, 96(%rsp)
	vmovsd	%xmm15, 72(%rsp)
	vmovsd	%xmm21, 64(%rsp)
	vmovsd	%xmm18, 48(%rsp)
	vmovsd	%xmm24, 16(%rsp)
	vmovsd	%xmm23, 8(%rsp)
	vmovsd	%xmm22, (%rsp)
	vmovapd	%xmm31, %xmm3
	vmovsd	%xmm6, 896(%rsp)
	vmovaps	272(%rsp), %xmm6
	vmovsd	%xmm6, 104(%rsp)
	vmovaps	288(%rsp), %xmm6
	vmovsd	%xmm6, 88(%rsp)
	vmovaps	304(%rsp), %xmm6
	vmovsd	%xmm6, 80(%rsp)
	vmovaps	224(%rsp), %xmm6
	vmovsd	%xmm6, 56(%rsp)
	vmovaps	256(%rsp), %xmm6
	vmovsd	%xmm6, 40(%rsp)
	vmovaps	240(%rsp), %xmm6
	vmovsd	%xmm6, 32(%rsp)
	vmovapd	%xmm11, %xmm6
	vzeroupper
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB5_36
	vmovsd	848(%rsp), %xmm5
	vmovsd	216(%rsp), %xmm4
	vmovapd	608(%rsp), %xmm7
	vmovapd	752(%rsp), %xmm0
	vmovapd	272(%rsp), %xmm9
	vmovapd	448(%rsp), %xmm1
	vmovapd	304(%rsp), %xmm10
	vmovsd	440(%rsp), %xmm3
	vmovapd	672(%rsp), %xmm12
	vmovapd	736(%rsp), %xmm2
	vmovapd	688(%rsp), %xmm8
	vmovapd	704(%rsp), %xmm6
	vmovapd	720(%rsp), %xmm13
	vmovapd	656(%rsp), %xmm16
	vmovapd	640(%rsp), %xmm14
	vmovapd	288(%rsp), %xmm15
	vmovsd	208(%rsp), %xmm11
	vmovsd	968(%rsp), %xmm17
	vmovsd	960(%rsp), %xmm18
	vmovsd	952(%rsp), %xmm19
	vmovsd	944(%rsp), %xmm20
	vmovsd	936(%rsp), %xmm21
	vmovsd	928(%rsp), %xmm22
	vmovsd	920(%rsp), %xmm23
	vmovsd	912(%rsp), %xmm24
	vmovsd	904(%rsp), %xmm25
	vmovsd	896(%rsp), %xmm26
	movq	1496(%rsp), %r8
	movq	1608(%rsp), %r9
	movq	1440(%rsp), %r10
	movq	808(%rsp), %r11
	vfmadd213sd	464(%rsp), %xmm5, %xmm6
	vaddsd	1128(%rsp), %xmm17, %xmm17
	vaddsd	1136(%rsp), %xmm18, %xmm18
	vaddsd	1144(%rsp), %xmm19, %xmm19
	vaddsd	1152(%rsp), %xmm20, %xmm20
	vaddsd	1160(%rsp), %xmm21, %xmm21
	vaddsd	1168(%rsp), %xmm22, %xmm22
	vaddsd	1176(%rsp), %xmm23, %xmm23
	vaddsd	1184(%rsp), %xmm24, %xmm24
	vaddsd	1192(%rsp), %xmm25, %xmm25
	vaddsd	1200(%rsp), %xmm26, %xmm26
	vfmadd231sd	%xmm7, %xmm5, %xmm4
	vfmadd231sd	%xmm9, %xmm5, %xmm0
	vfmadd231sd	%xmm10, %xmm5, %xmm1
	vfmadd231sd	%xmm12, %xmm5, %xmm3
	vfmadd231sd	%xmm8, %xmm5, %xmm2
	vmovsd	840(%rsp), %xmm5
	vfmadd213sd	%xmm2, %xmm5, %xmm13
	vfmadd231sd	%xmm8, %xmm5, %xmm6
	vmovsd	392(%rsp), %xmm2
	vmovapd	576(%rsp), %xmm8
	vfmadd231sd	%xmm16, %xmm5, %xmm3
	vfmadd231sd	%xmm14, %xmm5, %xmm0
	vfmadd231sd	%xmm15, %xmm5, %xmm1
	vfmadd231sd	%xmm8, %xmm5, %xmm4
	vfmadd213sd	%xmm3, %xmm2, %xmm11
	vfmadd231sd	%xmm16, %xmm2, %xmm13
	vmovsd	424(%rsp), %xmm3
	vmovapd	544(%rsp), %xmm16
	vmovapd	624(%rsp), %xmm5
	vfmadd231sd	%xmm12, %xmm2, %xmm6
	vmovapd	240(%rsp), %xmm12
	vfmadd231sd	%xmm3, %xmm2, %xmm4
	vfmadd231sd	%xmm16, %xmm2, %xmm0
	vfmadd231sd	%xmm5, %xmm2, %xmm1
	vmovsd	824(%rsp), %xmm2
	vfmadd231sd	%xmm5, %xmm2, %xmm11
	vfmadd231sd	%xmm15, %xmm2, %xmm13
	vmovapd	592(%rsp), %xmm5
	vmovapd	256(%rsp), %xmm15
	vfmadd213sd	%xmm1, %xmm2, %xmm12
	vmovsd	832(%rsp), %xmm1
	vfmadd231sd	%xmm10, %xmm2, %xmm6
	vmovapd	224(%rsp), %xmm10
	vfmadd231sd	%xmm15, %xmm2, %xmm0
	vfmadd231sd	%xmm5, %xmm2, %xmm4
	vmovapd	560(%rsp), %xmm2
	vfmadd231sd	%xmm9, %xmm1, %xmm6
	vmovsd	432(%rsp), %xmm9
	vfmadd231sd	%xmm15, %xmm1, %xmm12
	vfmadd231sd	%xmm16, %xmm1, %xmm11
	vfmadd231sd	%xmm14, %xmm1, %xmm13
	vmovsd	992(%rsp), %xmm14
	vmovsd	984(%rsp), %xmm15
	vmovsd	976(%rsp), %xmm16
	vaddsd	1104(%rsp), %xmm14, %xmm14
	vaddsd	1112(%rsp), %xmm15, %xmm15
	vaddsd	1120(%rsp), %xmm16, %xmm16
	vfmadd213sd	%xmm0, %xmm1, %xmm10
	vmovsd	816(%rsp), %xmm0
	vfmadd231sd	%xmm2, %xmm1, %xmm4
	vfmadd213sd	%xmm4, %xmm0, %xmm9
	vfmadd231sd	%xmm5, %xmm0, %xmm12
	vfmadd231sd	%xmm3, %xmm0, %xmm11
	vmovsd	872(%rsp), %xmm3
	vmovsd	864(%rsp), %xmm4
	vmovsd	856(%rsp), %xmm5
	vfmadd231sd	%xmm7, %xmm0, %xmm6
	vfmadd231sd	%xmm2, %xmm0, %xmm10
	vfmadd231sd	%xmm8, %xmm0, %xmm13
	vmovsd	880(%rsp), %xmm8
	vmovsd	888(%rsp), %xmm7
	vmulsd	%xmm3, %xmm6, %xmm0
	vmulsd	%xmm6, %xmm4, %xmm1
	vmulsd	%xmm6, %xmm5, %xmm2
	vmovsd	512(%rsp), %xmm6
	vmulsd	%xmm3, %xmm12, %xmm3
	vmulsd	%xmm4, %xmm12, %xmm4
	vmulsd	%xmm5, %xmm12, %xmm5
	vmovsd	1008(%rsp), %xmm12
	vaddsd	1088(%rsp), %xmm12, %xmm12
	vfmadd231sd	%xmm8, %xmm13, %xmm0
	vfmadd231sd	%xmm8, %xmm10, %xmm3
	vfmadd231sd	%xmm13, %xmm7, %xmm1
	vfmadd231sd	%xmm7, %xmm10, %xmm4
	vmovsd	528(%rsp), %xmm7
	vmovsd	376(%rsp), %xmm8
	vfmadd231sd	%xmm13, %xmm6, %xmm2
	vfmadd231sd	%xmm10, %xmm6, %xmm5
	vmovsd	384(%rsp), %xmm6
	vmovsd	496(%rsp), %xmm10
	vmovsd	1000(%rsp), %xmm13
	vaddsd	1072(%rsp), %xmm10, %xmm10
	vaddsd	1096(%rsp), %xmm13, %xmm13
	vfmadd231sd	%xmm11, %xmm7, %xmm1
	vfmadd231sd	%xmm7, %xmm9, %xmm4
	vmovsd	360(%rsp), %xmm7
	vfmadd231sd	%xmm11, %xmm8, %xmm2
	vfmadd231sd	%xmm9, %xmm8, %xmm5
	vmovsd	352(%rsp), %xmm8
	vaddsd	1048(%rsp), %xmm7, %xmm7
	vaddsd	1056(%rsp), %xmm8, %xmm8
	vfmadd231sd	%xmm11, %xmm6, %xmm0
	vfmadd231sd	%xmm6, %xmm9, %xmm3
	vmovsd	368(%rsp), %xmm6
	vmovsd	344(%rsp), %xmm9
	vmovsd	1016(%rsp), %xmm11
	vaddsd	1040(%rsp), %xmm6, %xmm6
	vaddsd	1064(%rsp), %xmm9, %xmm9
	vaddsd	1080(%rsp), %xmm11, %xmm11
	vmovsd	%xmm6, 192(%rbx,%r14)
	vmovsd	%xmm7, 200(%rbx,%r14)
	vmovsd	%xmm8, 208(%rbx,%r14)
	vmovsd	%xmm9, 216(%rbx,%r14)
	vmovsd	408(%rsp), %xmm9
	vmovsd	416(%rsp), %xmm6
	vmovsd	400(%rsp), %xmm8
	vmovsd	%xmm10, 224(%rbx,%r14)
	vmovsd	%xmm11, 232(%rbx,%r14)
	vmovsd	%xmm12, 240(%rbx,%r14)
	vmovsd	%xmm13, 248(%rbx,%r14)
	vmovsd	%xmm14, 256(%rbx,%r14)
	vmovsd	%xmm15, 264(%rbx,%r14)
	vmovsd	%xmm16, 272(%rbx,%r14)
	vmovsd	%xmm17, 280(%rbx,%r14)
	vmovsd	%xmm18, 288(%rbx,%r14)
	vmovsd	%xmm19, 296(%rbx,%r14)
	vmovsd	%xmm20, 304(%rbx,%r14)
	vmovsd	%xmm21, 312(%rbx,%r14)
	vmovsd	%xmm22, 320(%rbx,%r14)
	vmovsd	%xmm23, 328(%rbx,%r14)
	vmovsd	%xmm24, 336(%rbx,%r14)
	vmovsd	%xmm25, 344(%rbx,%r14)
	vmovsd	%xmm26, 352(%rbx,%r14)
	vfmadd231sd	%xmm6, %xmm2, %xmm3
	vfmsub231sd	%xmm2, %xmm9, %xmm4
	vfmadd231sd	%xmm1, %xmm9, %xmm5
	vaddsd	160(%rbx,%r14), %xmm2, %xmm2
	vfnmadd231sd	%xmm8, %xmm1, %xmm3
	vfmsub231sd	%xmm8, %xmm0, %xmm4
	vfnmadd231sd	%xmm0, %xmm6, %xmm5
	vaddsd	144(%rbx,%r14), %xmm0, %xmm0
	vaddsd	152(%rbx,%r14), %xmm1, %xmm1
	vmovsd	%xmm0, 144(%rbx,%r14)
	vmovsd	%xmm1, 152(%rbx,%r14)
	vmovsd	%xmm2, 160(%rbx,%r14)
	vaddsd	168(%rbx,%r14), %xmm3, %xmm0
	vaddsd	176(%rbx,%r14), %xmm4, %xmm1
	vaddsd	184(%rbx,%r14), %xmm5, %xmm2
	vmovsd	%xmm0, 168(%rbx,%r14)
	vmovsd	%xmm1, 176(%rbx,%r14)
	vmovsd	%xmm2, 184(%rbx,%r14)
	jmp	.LBB5_2
.LBB5_32:
	movq	328(%rsp), %rax
	movq	$-1, (%rax)
.LBB5_33:
	xorl	%eax, %eax
.LBB5_34:
	addq	$1384, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.LBB5_35:
	movq	328(%rsp), %rax
	movq	%r15, (%rax)
	jmp	.LBB5_33
.LBB5_36:
	movq	488(%rsp), %rcx
	movq	$0, (%rcx)
	jmp	.LBB5_34
.Lfunc_end5:
	.size	_ZN8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end5-_ZN8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.section	.rodata,"a",@progbits
	.p2align	3, 0x0
.LJTI5_0:
	.quad	.LBB5_30
	.quad	.LBB5_24
	.quad	.LBB5_26
	.quad	.LBB5_27
	.quad	.LBB5_25

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI6_0:
	.quad	0x3ff0000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29
	.p2align	4
	.type	_ZN8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@function
_ZN8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29:
	movq	64(%rsp), %rax
	vmovsd	192(%rsp), %xmm11
	vmovsd	184(%rsp), %xmm12
	vmovsd	176(%rsp), %xmm8
	vmovsd	168(%rsp), %xmm13
	vmovsd	160(%rsp), %xmm9
	vmovsd	144(%rsp), %xmm17
	vmovsd	136(%rsp), %xmm30
	vmovsd	128(%rsp), %xmm24
	vmovsd	120(%rsp), %xmm14
	vmovsd	112(%rsp), %xmm15
	vmovsd	104(%rsp), %xmm22
	movq	96(%rsp), %rcx
	movq	88(%rsp), %rdx
	movq	8(%rsp), %rsi
	vmovapd	%xmm0, %xmm20
	vmovapd	%xmm6, %xmm21
	vmovapd	%xmm7, %xmm10
	vmovsd	%xmm0, -16(%rsp)
	vmovapd	%xmm1, %xmm19
	vmovapd	%xmm2, %xmm18
	movq	(%rax), %r8
	movq	16(%rax), %rax
	cmpq	$4, %rdx
	je	.LBB6_2
	vmovapd	%xmm9, %xmm0
	vmovapd	%xmm9, %xmm21
	vmovapd	%xmm13, %xmm10
	vmovapd	%xmm8, %xmm22
	vmovapd	%xmm6, %xmm20
	vmovapd	%xmm15, %xmm19
	vmovapd	%xmm30, %xmm18
.LBB6_2:
	leaq	(%rsi,%rcx,8), %rcx
	leaq	(%r8,%r8,2), %rsi
	vmovsd	%xmm6, -8(%rsp)
	vmovsd	%xmm22, -32(%rsp)
	shlq	$6, %rsi
	leaq	(%rcx,%rsi), %r8
	leaq	32(%rsi,%rcx), %rcx
	movabsq	$.LCPI6_0, %rsi
	vaddsd	32(%r8,%rax,8), %xmm0, %xmm0
	vmovsd	(%rsi), %xmm16
	vdivsd	%xmm0, %xmm16, %xmm6
	vmulsd	%xmm6, %xmm10, %xmm9
	vmulsd	%xmm19, %xmm6, %xmm8
	vmulsd	%xmm22, %xmm6, %xmm22
	vmulsd	%xmm18, %xmm6, %xmm0
	vmulsd	%xmm21, %xmm6, %xmm26
	vfnmadd231sd	%xmm20, %xmm8, %xmm1
	vfnmadd231sd	%xmm8, %xmm19, %xmm3
	vfnmadd231sd	%xmm19, %xmm0, %xmm4
	vfnmadd231sd	%xmm19, %xmm26, %xmm15
	vfnmadd231sd	%xmm19, %xmm9, %xmm14
	vfnmadd231sd	%xmm19, %xmm22, %xmm24
	vfnmadd231sd	%xmm20, %xmm9, %xmm7
	vfnmadd231sd	%xmm18, %xmm9, %xmm17
	vfnmadd231sd	%xmm21, %xmm9, %xmm13
	vfnmadd231sd	%xmm9, %xmm10, %xmm12
	vfnmadd231sd	%xmm10, %xmm22, %xmm11
	vmovapd	%xmm3, %xmm10
	vmovapd	%xmm15, %xmm28
	vmovapd	%xmm14, %xmm23
	vmovsd	%xmm24, -24(%rsp)
	vmovapd	%xmm1, %xmm27
	vmovapd	%xmm3, %xmm25
	vmovapd	%xmm4, %xmm31
	cmpq	$4, %rdx
	je	.LBB6_4
	vmovapd	%xmm12, %xmm10
	vmovapd	%xmm13, %xmm28
	vmovapd	%xmm12, %xmm23
	vmovapd	%xmm11, %xmm24
	vmovapd	%xmm7, %xmm27
	vmovapd	%xmm14, %xmm25
	vmovapd	%xmm17, %xmm31
.LBB6_4:
	vaddsd	8(%rcx,%rax,8), %xmm10, %xmm10
	vmovsd	%xmm12, -40(%rsp)
	vmovsd	%xmm13, -48(%rsp)
	vmovsd	%xmm11, -56(%rsp)
	vdivsd	%xmm10, %xmm16, %xmm12
	vmulsd	%xmm31, %xmm12, %xmm10
	vmulsd	%xmm10, %xmm27, %xmm19
	vfnmadd231sd	%xmm25, %xmm10, %xmm4
	vfnmsub231sd	%xmm20, %xmm0, %xmm19
	vaddsd	%xmm19, %xmm2, %xmm29
	vmulsd	%xmm10, %xmm31, %xmm2
	vmulsd	%xmm23, %xmm12, %xmm10
	vfnmsub231sd	%xmm0, %xmm18, %xmm2
	vfnmadd231sd	%xmm31, %xmm10, %xmm17
	vaddsd	%xmm2, %xmm5, %xmm0
	vmulsd	%xmm28, %xmm12, %xmm2
	vmulsd	%xmm2, %xmm31, %xmm5
	vmulsd	%xmm25, %xmm2, %xmm9
	vmovapd	%xmm0, %xmm13
	vfnmsub231sd	%xmm18, %xmm26, %xmm5
	vaddsd	%xmm5, %xmm30, %xmm19
	vmulsd	%xmm24, %xmm12, %xmm30
	vmulsd	%xmm30, %xmm31, %xmm5
	vmulsd	%xmm27, %xmm27, %xmm31
	vfnmsub231sd	%xmm18, %xmm22, %xmm5
	vaddsd	16(%rcx,%rax,8), %xmm0, %xmm18
	vaddsd	152(%rsp), %xmm5, %xmm5
	xorl	%eax, %eax
	vdivsd	%xmm18, %xmm16, %xmm18
	vmulsd	%xmm20, %xmm20, %xmm16
	vmulsd	%xmm6, %xmm16, %xmm6
	vfmadd213sd	%xmm6, %xmm12, %xmm31
	vmulsd	%xmm29, %xmm29, %xmm6
	vfnmsub231sd	%xmm6, %xmm18, %xmm31
	vmulsd	%xmm25, %xmm12, %xmm6
	vmulsd	%xmm4, %xmm18, %xmm8
	vmulsd	%xmm5, %xmm18, %xmm11
	vmulsd	%xmm27, %xmm6, %xmm12
	vmulsd	%xmm25, %xmm6, %xmm16
	vmulsd	%xmm20, %xmm26, %xmm6
	vmulsd	%xmm21, %xmm26, %xmm26
	vfmadd231sd	%xmm27, %xmm2, %xmm6
	vfmadd231sd	%xmm2, %xmm28, %xmm26
	vfnmsub231sd	%xmm29, %xmm8, %xmm12
	vfnmsub231sd	%xmm8, %xmm4, %xmm16
	vmulsd	%xmm19, %xmm18, %xmm8
	vmovapd	%xmm0, %xmm2
	vfnmsub231sd	%xmm4, %xmm8, %xmm9
	vfnmadd213sd	%xmm19, %xmm8, %xmm13
	vfnmsub231sd	%xmm29, %xmm8, %xmm6
	vfnmsub231sd	%xmm8, %xmm19, %xmm26
	vmulsd	%xmm21, %xmm22, %xmm8
	vmulsd	%xmm28, %xmm10, %xmm21
	vaddsd	%xmm1, %xmm12, %xmm1
	vaddsd	%xmm16, %xmm3, %xmm3
	vaddsd	-8(%rsp), %xmm6, %xmm6
	vfmadd231sd	%xmm28, %xmm30, %xmm8
	vmulsd	%xmm17, %xmm18, %xmm28
	vaddsd	%xmm9, %xmm15, %xmm9
	vaddsd	160(%rsp), %xmm26, %xmm15
	vfnmsub231sd	%xmm19, %xmm28, %xmm21
	vfnmadd213sd	%xmm17, %xmm28, %xmm2
	vaddsd	-48(%rsp), %xmm21, %xmm16
	vfnmsub231sd	%xmm19, %xmm11, %xmm8
	vmulsd	%xmm20, %xmm22, %xmm19
	vmulsd	-32(%rsp), %xmm22, %xmm22
	vmulsd	%xmm27, %xmm10, %xmm20
	vaddsd	176(%rsp), %xmm8, %xmm8
	vfmadd231sd	%xmm27, %xmm30, %xmm19
	vmulsd	%xmm25, %xmm10, %xmm27
	vmulsd	%xmm23, %xmm10, %xmm10
	vmulsd	%xmm23, %xmm30, %xmm23
	vfnmsub231sd	%xmm29, %xmm28, %xmm20
	vfnmsub231sd	%xmm4, %xmm28, %xmm27
	vfnmsub231sd	%xmm28, %xmm17, %xmm10
	vfnmsub231sd	%xmm17, %xmm11, %xmm23
	vmulsd	%xmm0, %xmm18, %xmm17
	vaddsd	-40(%rsp), %xmm10, %xmm10
	vaddsd	-56(%rsp), %xmm23, %xmm18
	vfnmsub231sd	%xmm29, %xmm11, %xmm19
	vaddsd	%xmm20, %xmm7, %xmm7
	vfnmadd213sd	%xmm29, %xmm17, %xmm29
	vfmadd231sd	%xmm24, %xmm30, %xmm22
	vmulsd	%xmm25, %xmm30, %xmm24
	vaddsd	-16(%rsp), %xmm31, %xmm25
	vaddsd	%xmm27, %xmm14, %xmm12
	vfnmsub231sd	%xmm4, %xmm11, %xmm24
	vfnmadd213sd	%xmm4, %xmm17, %xmm4
	vfnmadd213sd	%xmm0, %xmm0, %xmm17
	vfnmadd213sd	%xmm5, %xmm11, %xmm0
	vaddsd	-24(%rsp), %xmm24, %xmm14
	vfnmsub231sd	%xmm5, %xmm11, %xmm22
	vaddsd	104(%rsp), %xmm19, %xmm11
	vaddsd	200(%rsp), %xmm22, %xmm19
	vmovsd	%xmm25, (%rdi)
	vmovsd	%xmm1, 8(%rdi)
	vmovsd	%xmm29, 16(%rdi)
	vmovsd	%xmm3, 24(%rdi)
	vmovsd	%xmm4, 32(%rdi)
	vmovsd	%xmm17, 40(%rdi)
	vmovsd	%xmm6, 48(%rdi)
	vmovsd	%xmm7, 56(%rdi)
	vmovsd	%xmm11, 64(%rdi)
	vmovsd	%xmm9, 72(%rdi)
	vmovsd	%xmm12, 80(%rdi)
	vmovsd	%xmm14, 88(%rdi)
	vmovsd	%xmm13, 96(%rdi)
	vmovsd	%xmm2, 104(%rdi)
	vmovsd	%xmm0, 112(%rdi)
	vmovsd	%xmm15, 120(%rdi)
	vmovsd	%xmm16, 128(%rdi)
	vmovsd	%xmm8, 136(%rdi)
	vmovsd	%xmm10, 144(%rdi)
	vmovsd	%xmm18, 152(%rdi)
	vmovsd	%xmm19, 160(%rdi)
	retq
.Lfunc_end6:
	.size	_ZN8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29, .Lfunc_end6-_ZN8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29

	.weak	_ZN8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29
	.p2align	4
	.type	_ZN8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@function
_ZN8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29:
	vmovsd	160(%rsp), %xmm22
	vmovsd	168(%rsp), %xmm21
	vmovsd	184(%rsp), %xmm18
	vmovsd	176(%rsp), %xmm20
	vmovapd	%xmm0, %xmm14
	vmovapd	%xmm5, %xmm13
	vmovapd	%xmm3, %xmm5
	vmovsd	192(%rsp), %xmm17
	vmovapd	%xmm4, %xmm9
	vmovapd	%xmm1, %xmm16
	vmovsd	8(%rsp), %xmm31
	vmovsd	200(%rsp), %xmm15
	vmovapd	%xmm2, %xmm19
	vmovsd	104(%rsp), %xmm0
	vmovsd	128(%rsp), %xmm2
	vmovsd	88(%rsp), %xmm12
	vmovsd	152(%rsp), %xmm1
	vmovsd	96(%rsp), %xmm8
	vmovsd	112(%rsp), %xmm11
	vmovsd	120(%rsp), %xmm4
	vmovsd	136(%rsp), %xmm10
	vmovsd	24(%rsp), %xmm29
	vmovsd	144(%rsp), %xmm3
	xorl	%eax, %eax
	vmulsd	%xmm14, %xmm22, %xmm23
	vmulsd	%xmm5, %xmm22, %xmm26
	vmulsd	%xmm6, %xmm22, %xmm22
	vmulsd	%xmm14, %xmm21, %xmm24
	vmulsd	%xmm5, %xmm21, %xmm27
	vmulsd	%xmm14, %xmm20, %xmm25
	vmulsd	%xmm5, %xmm20, %xmm28
	vfmadd231sd	%xmm16, %xmm21, %xmm23
	vfmadd231sd	%xmm9, %xmm21, %xmm26
	vfmadd231sd	%xmm7, %xmm21, %xmm22
	vmulsd	%xmm6, %xmm21, %xmm21
	vfmadd231sd	%xmm16, %xmm18, %xmm24
	vfmadd231sd	%xmm9, %xmm18, %xmm27
	vfmadd231sd	%xmm16, %xmm17, %xmm25
	vfmadd231sd	%xmm9, %xmm17, %xmm28
	vfmadd231sd	%xmm18, %xmm7, %xmm21
	vmulsd	%xmm6, %xmm20, %xmm18
	vfmadd231sd	%xmm19, %xmm20, %xmm23
	vfmadd231sd	%xmm19, %xmm17, %xmm24
	vfmadd231sd	%xmm13, %xmm15, %xmm28
	vfmadd231sd	%xmm19, %xmm15, %xmm25
	vfmadd231sd	%xmm13, %xmm20, %xmm26
	vfmadd231sd	%xmm13, %xmm17, %xmm27
	vfmadd231sd	%xmm31, %xmm20, %xmm22
	vfmadd231sd	%xmm17, %xmm7, %xmm18
	vfmadd231sd	%xmm31, %xmm17, %xmm21
	vmulsd	%xmm14, %xmm8, %xmm17
	vmovsd	%xmm28, -80(%rsp)
	vfmadd231sd	%xmm15, %xmm31, %xmm18
	vmulsd	%xmm14, %xmm23, %xmm15
	vfmadd231sd	%xmm16, %xmm4, %xmm17
	vfmadd231sd	%xmm16, %xmm24, %xmm15
	vfmadd231sd	%xmm19, %xmm3, %xmm17
	vfmadd231sd	%xmm19, %xmm25, %xmm15
	vmovsd	%xmm15, -16(%rsp)
	vmulsd	%xmm5, %xmm23, %xmm15
	vfmadd231sd	%xmm9, %xmm24, %xmm15
	vfmadd231sd	%xmm13, %xmm25, %xmm15
	vmovapd	%xmm15, %xmm28
	vmovsd	%xmm15, -24(%rsp)
	vmulsd	%xmm6, %xmm23, %xmm15
	vmulsd	%xmm14, %xmm0, %xmm23
	vfmadd231sd	%xmm24, %xmm7, %xmm15
	vmulsd	%xmm5, %xmm0, %xmm24
	vfmadd231sd	%xmm16, %xmm2, %xmm23
	vfmadd231sd	%xmm9, %xmm2, %xmm24
	vfmadd231sd	%xmm25, %xmm31, %xmm15
	vfmadd231sd	%xmm19, %xmm1, %xmm23
	vfmadd231sd	%xmm13, %xmm1, %xmm24
	vmovapd	%xmm15, %xmm20
	vmovsd	%xmm15, -88(%rsp)
	vmulsd	%xmm5, %xmm26, %xmm15
	vmovsd	%xmm23, -56(%rsp)
	vfmadd231sd	%xmm9, %xmm27, %xmm15
	vmovsd	%xmm15, -8(%rsp)
	vmulsd	%xmm6, %xmm26, %xmm15
	vfmadd231sd	%xmm27, %xmm7, %xmm15
	vmulsd	%xmm6, %xmm0, %xmm27
	vmulsd	%xmm29, %xmm20, %xmm0
	vmovapd	%xmm29, %xmm20
	vfmadd231sd	%xmm2, %xmm7, %xmm27
	vmovsd	%xmm0, -32(%rsp)
	vmovsd	40(%rsp), %xmm2
	vmovsd	%xmm15, -104(%rsp)
	vmulsd	%xmm6, %xmm22, %xmm15
	vfmadd231sd	%xmm21, %xmm7, %xmm15
	vfmadd231sd	%xmm1, %xmm31, %xmm27
	vmulsd	32(%rsp), %xmm28, %xmm1
	vmulsd	%xmm5, %xmm8, %xmm21
	vmulsd	%xmm6, %xmm8, %xmm8
	vfmadd231sd	%xmm9, %xmm4, %xmm21
	vfmadd231sd	%xmm4, %xmm7, %xmm8
	vfmadd231sd	%xmm18, %xmm31, %xmm15
	vmulsd	%xmm5, %xmm12, %xmm18
	vfmadd231sd	%xmm9, %xmm11, %xmm18
	vfmadd231sd	%xmm13, %xmm3, %xmm21
	vfmadd231sd	%xmm3, %xmm31, %xmm8
	vmovsd	64(%rsp), %xmm3
	vmovsd	%xmm15, -96(%rsp)
	vmulsd	%xmm14, %xmm12, %xmm15
	vmulsd	%xmm6, %xmm12, %xmm12
	vsubsd	%xmm1, %xmm0, %xmm22
	vmovsd	%xmm1, -40(%rsp)
	vmovsd	48(%rsp), %xmm1
	vfmadd231sd	%xmm16, %xmm11, %xmm15
	vfmadd231sd	%xmm11, %xmm7, %xmm12
	vfmadd231sd	%xmm13, %xmm10, %xmm18
	vmulsd	%xmm5, %xmm2, %xmm11
	vfmadd231sd	%xmm19, %xmm10, %xmm15
	vfmadd231sd	%xmm10, %xmm31, %xmm12
	vmulsd	%xmm5, %xmm18, %xmm30
	vmulsd	%xmm6, %xmm18, %xmm25
	vfmadd231sd	%xmm9, %xmm1, %xmm11
	vfmadd231sd	%xmm9, %xmm21, %xmm30
	vfmadd231sd	%xmm21, %xmm7, %xmm25
	vmulsd	%xmm5, %xmm15, %xmm0
	vmulsd	%xmm14, %xmm12, %xmm26
	vmulsd	%xmm5, %xmm12, %xmm29
	vmulsd	%xmm6, %xmm12, %xmm31
	vfmadd231sd	%xmm14, %xmm15, %xmm22
	vmulsd	%xmm5, %xmm1, %xmm12
	vfmadd231sd	%xmm9, %xmm17, %xmm0
	vfmadd231sd	%xmm16, %xmm8, %xmm26
	vfmadd231sd	%xmm9, %xmm8, %xmm29
	vfmadd231sd	%xmm8, %xmm7, %xmm31
	vmulsd	%xmm1, %xmm14, %xmm8
	vfmadd231sd	%xmm9, %xmm3, %xmm12
	vfmadd231sd	%xmm13, %xmm24, %xmm30
	vfmadd231sd	8(%rsp), %xmm27, %xmm31
	vfmadd231sd	%xmm16, %xmm17, %xmm22
	vfmadd231sd	%xmm16, %xmm3, %xmm8
	vmovsd	%xmm0, -48(%rsp)
	vmulsd	%xmm6, %xmm15, %xmm0
	vmulsd	%xmm6, %xmm2, %xmm15
	vfmadd231sd	%xmm13, %xmm27, %xmm29
	vfmadd231sd	%xmm19, %xmm27, %xmm26
	vfmadd231sd	%xmm19, %xmm23, %xmm22
	vfmadd231sd	%xmm17, %xmm7, %xmm0
	vfmadd231sd	%xmm7, %xmm1, %xmm15
	vmovapd	%xmm0, %xmm28
	vmulsd	%xmm14, %xmm18, %xmm0
	vmulsd	%xmm6, %xmm1, %xmm18
	vfmadd231sd	%xmm16, %xmm21, %xmm0
	vfmadd231sd	%xmm3, %xmm7, %xmm18
	vmovsd	8(%rsp), %xmm3
	vmovsd	32(%rsp), %xmm21
	vmovsd	%xmm0, -112(%rsp)
	vmulsd	%xmm2, %xmm14, %xmm0
	vmovsd	72(%rsp), %xmm2
	vfmadd231sd	%xmm16, %xmm1, %xmm0
	vmovsd	56(%rsp), %xmm1
	vfmadd231sd	%xmm23, %xmm3, %xmm28
	vmovapd	%xmm20, %xmm23
	vfmadd231sd	%xmm19, %xmm2, %xmm8
	vfmadd231sd	%xmm13, %xmm2, %xmm12
	vfmadd231sd	%xmm3, %xmm2, %xmm18
	vmovsd	%xmm28, -72(%rsp)
	vmulsd	%xmm1, %xmm14, %xmm4
	vmulsd	%xmm5, %xmm1, %xmm10
	vmulsd	%xmm6, %xmm1, %xmm17
	vfmadd231sd	%xmm19, %xmm1, %xmm0
	vfmadd231sd	%xmm13, %xmm1, %xmm11
	vfmadd231sd	%xmm3, %xmm1, %xmm15
	vmovsd	-104(%rsp), %xmm1
	vfmadd231sd	-80(%rsp), %xmm3, %xmm1
	vmulsd	%xmm21, %xmm30, %xmm3
	vfmadd231sd	%xmm16, %xmm2, %xmm4
	vfmadd231sd	%xmm9, %xmm2, %xmm10
	vfmadd231sd	%xmm2, %xmm7, %xmm17
	vmulsd	%xmm21, %xmm29, %xmm2
	vmulsd	%xmm0, %xmm14, %xmm14
	vfnmsub231sd	%xmm23, %xmm22, %xmm2
	vfmadd231sd	%xmm16, %xmm8, %xmm14
	vfmadd231sd	%xmm0, %xmm6, %xmm2
	vmovsd	%xmm1, -104(%rsp)
	vmulsd	%xmm21, %xmm1, %xmm1
	vfmsub231sd	-96(%rsp), %xmm20, %xmm1
	vmovsd	16(%rsp), %xmm20
	vmovsd	-104(%rsp), %xmm16
	vfmadd231sd	%xmm8, %xmm7, %xmm2
	vaddsd	%xmm1, %xmm28, %xmm1
	vmovapd	%xmm23, %xmm28
	vmovsd	-16(%rsp), %xmm23
	vfnmsub231sd	%xmm20, %xmm1, %xmm3
	vmovsd	%xmm1, -64(%rsp)
	vmovsd	-112(%rsp), %xmm1
	vfmadd231sd	%xmm5, %xmm0, %xmm3
	vmulsd	-88(%rsp), %xmm20, %xmm0
	vmulsd	%xmm5, %xmm11, %xmm5
	vfmadd231sd	%xmm9, %xmm12, %xmm5
	vfmadd231sd	%xmm19, %xmm24, %xmm1
	vfmadd231sd	%xmm9, %xmm8, %xmm3
	vsubsd	-32(%rsp), %xmm31, %xmm8
	vmovsd	%xmm1, -112(%rsp)
	vfmsub231sd	%xmm21, %xmm23, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm21
	vmulsd	%xmm20, %xmm31, %xmm0
	vmovsd	8(%rsp), %xmm1
	vfnmsub231sd	%xmm28, %xmm21, %xmm0
	vfmadd231sd	%xmm11, %xmm6, %xmm0
	vmulsd	%xmm6, %xmm15, %xmm6
	vmovsd	-48(%rsp), %xmm15
	vfmadd231sd	%xmm24, %xmm1, %xmm25
	vmovsd	-64(%rsp), %xmm24
	vfmadd231sd	-56(%rsp), %xmm13, %xmm15
	vfmadd231sd	%xmm18, %xmm7, %xmm6
	vmovsd	-8(%rsp), %xmm18
	vfmadd231sd	%xmm12, %xmm7, %xmm0
	vmovsd	80(%rsp), %xmm7
	vfmadd231sd	-80(%rsp), %xmm13, %xmm18
	vmovsd	32(%rsp), %xmm12
	vfmadd231sd	%xmm19, %xmm7, %xmm4
	vfmadd231sd	%xmm13, %xmm7, %xmm10
	vfmadd231sd	%xmm7, %xmm1, %xmm17
	vfmadd231sd	%xmm4, %xmm1, %xmm2
	vfmadd231sd	%xmm10, %xmm1, %xmm0
	vfmadd231sd	%xmm17, %xmm1, %xmm6
	vmovsd	-40(%rsp), %xmm1
	vfmadd231sd	%xmm13, %xmm4, %xmm3
	vfmadd231sd	%xmm19, %xmm4, %xmm14
	vmulsd	%xmm20, %xmm16, %xmm4
	vfmadd231sd	%xmm13, %xmm10, %xmm5
	vmovsd	-96(%rsp), %xmm19
	vmovsd	-88(%rsp), %xmm13
	vfmadd231sd	%xmm28, %xmm25, %xmm3
	vfmadd231sd	%xmm28, %xmm31, %xmm2
	vfmadd231sd	%xmm12, %xmm26, %xmm0
	vsubsd	%xmm4, %xmm1, %xmm7
	vaddsd	%xmm4, %xmm8, %xmm4
	vaddsd	-72(%rsp), %xmm24, %xmm8
	vmovsd	-24(%rsp), %xmm1
	vfmadd231sd	%xmm12, %xmm22, %xmm3
	vaddsd	%xmm30, %xmm7, %xmm7
	vfmadd231sd	%xmm20, %xmm7, %xmm0
	vmulsd	%xmm28, %xmm1, %xmm10
	vfmadd231sd	%xmm8, %xmm28, %xmm14
	vmulsd	%xmm12, %xmm18, %xmm8
	vfmsub231sd	%xmm20, %xmm18, %xmm10
	vfmsub231sd	%xmm28, %xmm16, %xmm8
	vaddsd	%xmm10, %xmm29, %xmm10
	vaddsd	%xmm8, %xmm15, %xmm8
	vaddsd	%xmm29, %xmm10, %xmm11
	vaddsd	%xmm15, %xmm8, %xmm9
	vfmadd231sd	%xmm20, %xmm8, %xmm2
	vfmadd231sd	%xmm11, %xmm20, %xmm6
	vfnmadd231sd	%xmm9, %xmm12, %xmm14
	vmulsd	%xmm28, %xmm23, %xmm9
	vfmsub231sd	%xmm20, %xmm1, %xmm9
	vmovsd	%xmm14, (%rdi)
	vmovsd	%xmm3, 8(%rdi)
	vmovsd	%xmm2, 16(%rdi)
	vaddsd	%xmm9, %xmm26, %xmm9
	vaddsd	%xmm26, %xmm9, %xmm11
	vfnmadd231sd	%xmm11, %xmm28, %xmm6
	vaddsd	-112(%rsp), %xmm21, %xmm11
	vfmadd231sd	%xmm11, %xmm12, %xmm5
	vmulsd	%xmm20, %xmm19, %xmm11
	vfmsub231sd	%xmm12, %xmm13, %xmm11
	vaddsd	%xmm11, %xmm25, %xmm11
	vaddsd	%xmm25, %xmm11, %xmm12
	vfnmadd231sd	%xmm12, %xmm20, %xmm5
	vmovsd	%xmm5, 24(%rdi)
	vmovsd	%xmm0, 32(%rdi)
	vmovsd	%xmm6, 40(%rdi)
	vmovsd	%xmm22, 48(%rdi)
	vmovsd	%xmm8, 56(%rdi)
	vmovsd	%xmm24, 64(%rdi)
	vmovsd	%xmm21, 72(%rdi)
	vmovsd	%xmm7, 80(%rdi)
	vmovsd	%xmm11, 88(%rdi)
	vmovsd	%xmm9, 96(%rdi)
	vmovsd	%xmm10, 104(%rdi)
	vmovsd	%xmm4, 112(%rdi)
	vmovsd	%xmm23, 120(%rdi)
	vmovsd	%xmm1, 128(%rdi)
	vmovsd	%xmm13, 136(%rdi)
	vmovsd	%xmm18, 144(%rdi)
	vmovsd	%xmm16, 152(%rdi)
	vmovsd	%xmm19, 160(%rdi)
	retq
.Lfunc_end7:
	.size	_ZN8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29, .Lfunc_end7-_ZN8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI8_0:
	.quad	0x8000000000000000
.LCPI8_1:
	.quad	0x3d06849b86a12b9b
.LCPI8_2:
	.quad	0x3ff0000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@function
_ZN8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$408, %rsp
	movq	520(%rsp), %r8
	movq	$0, 312(%rsp)
	movq	%rdi, 216(%rsp)
	movq	%rsi, 272(%rsp)
	movq	(%r8), %rdi
	testq	%rdi, %rdi
	jle	.LBB8_36
	movabsq	$.LCPI8_0, %rax
	movq	576(%rsp), %r11
	movq	800(%rsp), %r9
	movq	688(%rsp), %r10
	movq	464(%rsp), %r14
	movabsq	$.LJTI8_1, %r13
	xorl	%r15d, %r15d
	xorl	%ebx, %ebx
	vmovddup	(%rax), %xmm0
	leaq	376(%r11), %rbp
	vmovapd	%xmm0, 384(%rsp)
	jmp	.LBB8_6
.LBB8_2:
	vmovsd	8(%r9,%r12,8), %xmm1
	vmovsd	16(%r9,%r12,8), %xmm2
	vmovsd	24(%r9,%r12,8), %xmm3
	vmovsd	32(%r9,%r12,8), %xmm4
	vmovsd	40(%r9,%r12,8), %xmm5
.LBB8_3:
	vaddsd	%xmm22, %xmm5, %xmm22
	vaddsd	%xmm31, %xmm4, %xmm31
	vaddsd	%xmm30, %xmm3, %xmm30
	vaddsd	%xmm29, %xmm2, %xmm29
	vaddsd	%xmm28, %xmm1, %xmm28
.LBB8_4:
	vaddsd	%xmm27, %xmm0, %xmm27
.LBB8_5:
	vmovsd	%xmm27, -232(%rbp,%r15,8)
	vmovsd	%xmm28, -224(%rbp,%r15,8)
	vmovsd	%xmm29, -216(%rbp,%r15,8)
	vmovsd	%xmm30, -208(%rbp,%r15,8)
	vmovsd	%xmm31, -200(%rbp,%r15,8)
	vmovsd	%xmm22, -192(%rbp,%r15,8)
	incq	%rbx
	addq	$48, %r15
	cmpq	%rbx, %rdi
	je	.LBB8_36
.LBB8_6:
	movq	64(%r8,%r15), %rax
	testq	%rax, %rax
	js	.LBB8_8
	leaq	(%rax,%rax,2), %rax
	shlq	$7, %rax
	vmovsd	144(%r11,%rax), %xmm5
	vmovsd	152(%r11,%rax), %xmm4
	vmovsd	160(%r11,%rax), %xmm3
	vmovsd	168(%r11,%rax), %xmm2
	vmovsd	176(%r11,%rax), %xmm1
	vmovsd	184(%r11,%rax), %xmm0
	jmp	.LBB8_9
	.p2align	4
.LBB8_8:
	vmovsd	(%r14), %xmm0
	vmovapd	384(%rsp), %xmm3
	vmovsd	8(%r14), %xmm1
	vmovsd	16(%r14), %xmm2
	vxorpd	%xmm3, %xmm0, %xmm5
	vxorpd	%xmm3, %xmm1, %xmm4
	vxorpd	%xmm3, %xmm2, %xmm3
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
.LBB8_9:
	vmovsd	-296(%rbp,%r15,8), %xmm16
	vmovsd	-288(%rbp,%r15,8), %xmm17
	vmovsd	-304(%rbp,%r15,8), %xmm15
	vmovsd	-376(%rbp,%r15,8), %xmm6
	vmovsd	-368(%rbp,%r15,8), %xmm7
	vmovsd	-360(%rbp,%r15,8), %xmm8
	vmovsd	-352(%rbp,%r15,8), %xmm9
	vmovsd	-344(%rbp,%r15,8), %xmm10
	vmovsd	-336(%rbp,%r15,8), %xmm11
	vmovsd	-328(%rbp,%r15,8), %xmm12
	vmovsd	-320(%rbp,%r15,8), %xmm13
	vmovsd	-312(%rbp,%r15,8), %xmm14
	movq	72(%r8,%r15), %rax
	movq	88(%r8,%r15), %r12
	vmulsd	%xmm0, %xmm16, %xmm18
	vmulsd	%xmm2, %xmm6, %xmm30
	vmulsd	%xmm2, %xmm7, %xmm31
	vmulsd	%xmm2, %xmm8, %xmm22
	vfmsub231sd	%xmm1, %xmm17, %xmm18
	vmulsd	%xmm2, %xmm17, %xmm17
	vfmadd231sd	%xmm9, %xmm1, %xmm30
	vfmadd231sd	%xmm10, %xmm1, %xmm31
	vfmadd231sd	%xmm1, %xmm11, %xmm22
	vfmsub231sd	%xmm0, %xmm15, %xmm17
	vmulsd	%xmm1, %xmm15, %xmm15
	vmovsd	-248(%rbp,%r15,8), %xmm1
	vaddsd	%xmm18, %xmm5, %xmm5
	vfmadd231sd	%xmm12, %xmm0, %xmm30
	vfmadd231sd	%xmm13, %xmm0, %xmm31
	vfmadd231sd	%xmm0, %xmm14, %xmm22
	vmovsd	-256(%rbp,%r15,8), %xmm0
	vfmsub231sd	%xmm16, %xmm2, %xmm15
	vmovsd	-280(%rbp,%r15,8), %xmm2
	vaddsd	%xmm17, %xmm4, %xmm4
	vaddsd	%xmm3, %xmm15, %xmm3
	vmulsd	%xmm12, %xmm3, %xmm27
	vmulsd	%xmm13, %xmm3, %xmm28
	vmulsd	%xmm14, %xmm3, %xmm29
	vmovsd	-240(%rbp,%r15,8), %xmm3
	vfmadd231sd	%xmm6, %xmm5, %xmm27
	vfmadd231sd	%xmm7, %xmm5, %xmm28
	vfmadd231sd	%xmm5, %xmm8, %xmm29
	vmovsd	-272(%rbp,%r15,8), %xmm5
	vmovsd	-264(%rbp,%r15,8), %xmm6
	vfmadd231sd	%xmm9, %xmm4, %xmm27
	vfmadd231sd	%xmm10, %xmm4, %xmm28
	vfmadd231sd	%xmm4, %xmm11, %xmm29
	vxorpd	%xmm4, %xmm4, %xmm4
	cmpq	$5, %rax
	ja	.LBB8_16
	movabsq	$.LJTI8_0, %rcx
	jmpq	*(%rcx,%rax,8)
.LBB8_11:
	vmovsd	(%r10,%r12,8), %xmm3
	vfmadd231sd	%xmm1, %xmm3, %xmm30
	vfnmadd231sd	%xmm0, %xmm3, %xmm31
	vmulsd	-168(%rbp,%r15,8), %xmm30, %xmm0
	vfmadd231sd	%xmm5, %xmm3, %xmm27
	vfnmadd231sd	%xmm2, %xmm3, %xmm28
	vfmadd231sd	-152(%rbp,%r15,8), %xmm31, %xmm0
	vfmadd231sd	-144(%rbp,%r15,8), %xmm22, %xmm0
	vfmadd231sd	-88(%rbp,%r15,8), %xmm27, %xmm0
	vfmadd231sd	-80(%rbp,%r15,8), %xmm28, %xmm0
	vfnmsub231sd	-72(%rbp,%r15,8), %xmm29, %xmm0
	vaddsd	-8(%rbp,%r15,8), %xmm0, %xmm0
	jmp	.LBB8_20
.LBB8_12:
	vmovsd	(%r10,%r12,8), %xmm4
	vmovsd	8(%r10,%r12,8), %xmm8
	vmovsd	16(%r10,%r12,8), %xmm7
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm11, %xmm11, %xmm11
	jmp	.LBB8_17
.LBB8_13:
	vmovsd	(%r10,%r12,8), %xmm7
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm8, %xmm8, %xmm8
	vmulsd	208(%r14,%r15,4), %xmm7, %xmm11
	vmulsd	216(%r14,%r15,4), %xmm7, %xmm7
	jmp	.LBB8_17
.LBB8_14:
	vmovsd	(%r10,%r12,8), %xmm9
	vmovsd	8(%r10,%r12,8), %xmm10
	vmovsd	16(%r10,%r12,8), %xmm7
	vxorpd	%xmm11, %xmm11, %xmm11
	vxorpd	%xmm8, %xmm8, %xmm8
	jmp	.LBB8_17
.LBB8_15:
	vmovsd	(%r10,%r12,8), %xmm9
	vmovsd	8(%r10,%r12,8), %xmm10
	vmovsd	16(%r10,%r12,8), %xmm11
	vmovsd	24(%r10,%r12,8), %xmm4
	vmovsd	32(%r10,%r12,8), %xmm8
	vmovsd	40(%r10,%r12,8), %xmm7
	jmp	.LBB8_17
.LBB8_16:
	vxorpd	%xmm9, %xmm9, %xmm9
	vxorpd	%xmm10, %xmm10, %xmm10
	vxorpd	%xmm11, %xmm11, %xmm11
	vxorpd	%xmm8, %xmm8, %xmm8
	vxorpd	%xmm7, %xmm7, %xmm7
	.p2align	4
.LBB8_17:
	vfmadd231sd	%xmm3, %xmm9, %xmm28
	vmulsd	%xmm3, %xmm10, %xmm12
	vfmadd231sd	%xmm1, %xmm11, %xmm27
	vfmadd231sd	%xmm10, %xmm0, %xmm29
	vmulsd	%xmm0, %xmm11, %xmm11
	vfmsub231sd	%xmm3, %xmm8, %xmm30
	vfmadd231sd	%xmm3, %xmm4, %xmm31
	vfmsub231sd	%xmm1, %xmm4, %xmm22
	vmovsd	-160(%rbp,%r15,8), %xmm3
	vmovsd	-112(%rbp,%r15,8), %xmm26
	vmovsd	-104(%rbp,%r15,8), %xmm25
	vmovsd	-96(%rbp,%r15,8), %xmm19
	vmovsd	-88(%rbp,%r15,8), %xmm14
	vmovsd	-80(%rbp,%r15,8), %xmm13
	vmovsd	-64(%rbp,%r15,8), %xmm24
	vmovsd	-40(%rbp,%r15,8), %xmm23
	vmovsd	-32(%rbp,%r15,8), %xmm10
	vmovsd	-24(%rbp,%r15,8), %xmm20
	vfnmsub231sd	%xmm6, %xmm8, %xmm12
	vfnmsub231sd	%xmm2, %xmm7, %xmm11
	vfmadd231sd	%xmm6, %xmm4, %xmm28
	vmulsd	%xmm1, %xmm9, %xmm6
	vfmadd231sd	%xmm5, %xmm7, %xmm27
	vfmadd231sd	%xmm2, %xmm8, %xmm29
	vfmsub231sd	%xmm1, %xmm7, %xmm30
	vfnmadd231sd	%xmm7, %xmm0, %xmm31
	vfmsub231sd	%xmm0, %xmm8, %xmm22
	vmovsd	-184(%rbp,%r15,8), %xmm0
	vmovsd	-176(%rbp,%r15,8), %xmm1
	vmovsd	-168(%rbp,%r15,8), %xmm2
	vmovsd	-128(%rbp,%r15,8), %xmm7
	vmovsd	-120(%rbp,%r15,8), %xmm8
	vmovsd	-72(%rbp,%r15,8), %xmm9
	vfnmsub231sd	%xmm5, %xmm4, %xmm6
	vmovsd	-152(%rbp,%r15,8), %xmm4
	vmovsd	-144(%rbp,%r15,8), %xmm5
	vaddsd	%xmm12, %xmm27, %xmm27
	vaddsd	%xmm11, %xmm28, %xmm28
	vmovsd	-56(%rbp,%r15,8), %xmm12
	vmovsd	-48(%rbp,%r15,8), %xmm11
	vaddsd	%xmm6, %xmm29, %xmm29
	vmovsd	-136(%rbp,%r15,8), %xmm6
	cmpq	$5, %rax
	je	.LBB8_21
	cmpq	$2, %rax
	jne	.LBB8_27
	vmovsd	208(%r14,%r15,4), %xmm1
	vmovsd	216(%r14,%r15,4), %xmm6
	vmulsd	%xmm1, %xmm11, %xmm7
	vmulsd	%xmm1, %xmm8, %xmm8
	vfmadd213sd	%xmm7, %xmm6, %xmm14
	vmulsd	%xmm1, %xmm10, %xmm7
	vfmadd213sd	%xmm8, %xmm6, %xmm2
	vmulsd	%xmm19, %xmm1, %xmm8
	vfmadd213sd	%xmm7, %xmm6, %xmm13
	vmulsd	%xmm20, %xmm1, %xmm7
	vmulsd	%xmm1, %xmm9, %xmm1
	vfmadd213sd	%xmm8, %xmm6, %xmm4
	vfmadd213sd	%xmm1, %xmm6, %xmm5
	vfmadd231sd	%xmm9, %xmm6, %xmm7
	vmulsd	%xmm28, %xmm13, %xmm1
	vfmadd231sd	%xmm14, %xmm27, %xmm1
	vfmadd231sd	%xmm7, %xmm29, %xmm1
	vfmadd231sd	%xmm2, %xmm30, %xmm1
	vfmadd231sd	%xmm5, %xmm22, %xmm1
	vfnmsub231sd	%xmm4, %xmm31, %xmm1
	vaddsd	-8(%rbp,%r15,8), %xmm1, %xmm0
.LBB8_20:
	vmulsd	-16(%rbp,%r15,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%r9,%r12,8)
	decq	%rax
	cmpq	$4, %rax
	jbe	.LBB8_31
	jmp	.LBB8_5
	.p2align	4
.LBB8_21:
	vmulsd	%xmm30, %xmm6, %xmm15
	movq	(%r8), %rcx
	leaq	(%r14,%r12,8), %rax
	vmovsd	(%r10,%r12,8), %xmm16
	vmovsd	8(%r10,%r12,8), %xmm17
	vmulsd	%xmm0, %xmm30, %xmm21
	vmovsd	16(%r10,%r12,8), %xmm18
	vmovsd	%xmm8, 240(%rsp)
	vmovsd	%xmm11, 160(%rsp)
	vmovsd	%xmm10, 192(%rsp)
	movq	%rdi, %r13
	leaq	320(%rsp), %rdi
	leaq	312(%rsp), %rsi
	movq	%r10, %r14
	vmovsd	%xmm30, 288(%rsp)
	vmovsd	%xmm31, 280(%rsp)
	vmovsd	%xmm22, 176(%rsp)
	vmovsd	%xmm27, 184(%rsp)
	vmovsd	%xmm28, 304(%rsp)
	vmovsd	%xmm29, 296(%rsp)
	vmovapd	%xmm24, 256(%rsp)
	vmovapd	%xmm3, 224(%rsp)
	vfmadd231sd	%xmm31, %xmm26, %xmm15
	vfmadd231sd	%xmm1, %xmm31, %xmm21
	shlq	$6, %rcx
	leaq	(%rcx,%rcx,2), %rcx
	vfmadd231sd	%xmm22, %xmm14, %xmm15
	vfmadd231sd	%xmm22, %xmm2, %xmm21
	vfmadd231sd	%xmm27, %xmm24, %xmm15
	vfmadd231sd	%xmm27, %xmm6, %xmm21
	vfmadd231sd	%xmm28, %xmm12, %xmm15
	vfmadd231sd	%xmm28, %xmm7, %xmm21
	vfmadd231sd	%xmm29, %xmm11, %xmm15
	vfnmsub231sd	32(%rax,%rcx), %xmm16, %xmm15
	vmulsd	%xmm30, %xmm7, %xmm16
	vfmadd231sd	%xmm29, %xmm8, %xmm21
	vfmadd231sd	%xmm31, %xmm25, %xmm16
	vsubsd	-232(%rbp,%r15,8), %xmm15, %xmm15
	vfmadd231sd	%xmm22, %xmm13, %xmm16
	vfmadd231sd	%xmm27, %xmm12, %xmm16
	vfmadd231sd	%xmm28, %xmm23, %xmm16
	vfmadd231sd	%xmm29, %xmm10, %xmm16
	vfnmsub231sd	40(%rax,%rcx), %xmm17, %xmm16
	vmulsd	%xmm30, %xmm8, %xmm17
	vmovapd	%xmm19, %xmm8
	vfmadd231sd	%xmm31, %xmm19, %xmm17
	vsubsd	-224(%rbp,%r15,8), %xmm16, %xmm16
	vfmadd231sd	%xmm22, %xmm9, %xmm17
	vfmadd231sd	%xmm27, %xmm11, %xmm17
	vmovsd	32(%r10,%r12,8), %xmm11
	vfmadd231sd	%xmm28, %xmm10, %xmm17
	vmovapd	%xmm20, %xmm10
	vmovsd	%xmm10, 168(%rsp)
	vfmadd231sd	%xmm29, %xmm20, %xmm17
	vfnmsub231sd	48(%rax,%rcx), %xmm18, %xmm17
	vmovsd	24(%r10,%r12,8), %xmm18
	vmovsd	40(%r10,%r12,8), %xmm20
	vfnmsub231sd	56(%rax,%rcx), %xmm18, %xmm21
	vmulsd	%xmm1, %xmm30, %xmm18
	vfmadd231sd	%xmm31, %xmm3, %xmm18
	vsubsd	-216(%rbp,%r15,8), %xmm17, %xmm17
	vfmadd231sd	%xmm22, %xmm4, %xmm18
	vfmadd231sd	%xmm27, %xmm26, %xmm18
	vfmadd231sd	%xmm28, %xmm25, %xmm18
	vfmadd231sd	%xmm29, %xmm19, %xmm18
	vmulsd	%xmm30, %xmm2, %xmm19
	vfnmsub231sd	64(%rax,%rcx), %xmm11, %xmm18
	vmovsd	160(%rsp), %xmm11
	vmovsd	%xmm5, 160(%rsp)
	vfmadd231sd	%xmm31, %xmm4, %xmm19
	vsubsd	-200(%rbp,%r15,8), %xmm18, %xmm18
	vfmadd231sd	%xmm22, %xmm5, %xmm19
	vfmadd231sd	%xmm27, %xmm14, %xmm19
	vfmadd231sd	%xmm28, %xmm13, %xmm19
	vfmadd231sd	%xmm29, %xmm9, %xmm19
	vfnmsub231sd	72(%rax,%rcx), %xmm20, %xmm19
	movq	744(%rsp), %rax
	vsubsd	-208(%rbp,%r15,8), %xmm21, %xmm20
	vsubsd	-192(%rbp,%r15,8), %xmm19, %xmm19
	vaddsd	(%rax,%r12,8), %xmm15, %xmm15
	vaddsd	8(%rax,%r12,8), %xmm16, %xmm16
	vaddsd	16(%rax,%r12,8), %xmm17, %xmm17
	vaddsd	24(%rax,%r12,8), %xmm20, %xmm20
	vaddsd	32(%rax,%r12,8), %xmm18, %xmm18
	vaddsd	40(%rax,%r12,8), %xmm19, %xmm19
	vmovsd	%xmm8, 24(%rsp)
	vmovsd	240(%rsp), %xmm8
	movabsq	$_ZN8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29, %rax
	vmovsd	%xmm10, 96(%rsp)
	vmovsd	%xmm23, 80(%rsp)
	vmovsd	%xmm11, 72(%rsp)
	vmovsd	%xmm12, 64(%rsp)
	vmovsd	%xmm24, 56(%rsp)
	vmovsd	%xmm9, 48(%rsp)
	vmovsd	%xmm13, 40(%rsp)
	vmovsd	%xmm14, 32(%rsp)
	vmovsd	%xmm25, 16(%rsp)
	vmovsd	%xmm26, 8(%rsp)
	vmovapd	%xmm0, 240(%rsp)
	vmovsd	%xmm15, 104(%rsp)
	vmovsd	192(%rsp), %xmm15
	vmovsd	%xmm18, 136(%rsp)
	vmovsd	%xmm20, 128(%rsp)
	vmovsd	%xmm17, 120(%rsp)
	vmovsd	%xmm16, 112(%rsp)
	vmovapd	%xmm23, 192(%rsp)
	vmovsd	%xmm8, (%rsp)
	vmovsd	%xmm19, 144(%rsp)
	vmovsd	%xmm15, 88(%rsp)
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB8_40
	vmovsd	368(%rsp), %xmm0
	movabsq	$.LCPI8_1, %rax
	vucomisd	%xmm0, %xmm0
	jp	.LBB8_39
	vmovapd	256(%rsp), %xmm1
	vaddsd	192(%rsp), %xmm1, %xmm1
	vaddsd	168(%rsp), %xmm1, %xmm1
	vmulsd	%xmm1, %xmm1, %xmm2
	vmulsd	(%rax), %xmm2, %xmm2
	vmulsd	%xmm1, %xmm2, %xmm1
	vucomisd	%xmm0, %xmm1
	jae	.LBB8_39
	vmovsd	376(%rsp), %xmm0
	movq	%r13, %rdi
	vucomisd	%xmm0, %xmm0
	jp	.LBB8_39
	vmovapd	240(%rsp), %xmm1
	vaddsd	224(%rsp), %xmm1, %xmm1
	vaddsd	160(%rsp), %xmm1, %xmm1
	vmulsd	%xmm1, %xmm1, %xmm2
	vmulsd	(%rax), %xmm2, %xmm2
	vmulsd	%xmm1, %xmm2, %xmm1
	vucomisd	%xmm0, %xmm1
	jae	.LBB8_39
	vmovsd	320(%rsp), %xmm0
	vmovsd	328(%rsp), %xmm1
	vmovsd	336(%rsp), %xmm2
	vmovsd	344(%rsp), %xmm3
	vmovsd	352(%rsp), %xmm4
	vmovsd	360(%rsp), %xmm5
	vmovsd	184(%rsp), %xmm27
	vmovsd	304(%rsp), %xmm28
	vmovsd	296(%rsp), %xmm29
	vmovsd	288(%rsp), %xmm30
	vmovsd	280(%rsp), %xmm31
	vmovsd	176(%rsp), %xmm22
	movq	800(%rsp), %r9
	movq	%r14, %r10
	movq	520(%rsp), %r8
	movq	576(%rsp), %r11
	movq	464(%rsp), %r14
	movabsq	$.LJTI8_1, %r13
	vmovsd	%xmm0, (%r9,%r12,8)
	vmovsd	%xmm1, 8(%r9,%r12,8)
	vmovsd	%xmm2, 16(%r9,%r12,8)
	vmovsd	%xmm3, 24(%r9,%r12,8)
	vmovsd	%xmm4, 32(%r9,%r12,8)
	vmovsd	%xmm5, 40(%r9,%r12,8)
	jmp	.LBB8_3
	.p2align	4
.LBB8_27:
	movq	(%r8), %rcx
	leaq	(%r14,%r12,8), %rdx
	movq	16(%r8), %rsi
	vmovsd	%xmm5, 160(%rsp)
	vmovapd	%xmm23, %xmm18
	vmovapd	%xmm14, %xmm17
	vmovapd	%xmm23, 192(%rsp)
	vmovsd	%xmm19, 184(%rsp)
	vmovapd	%xmm12, %xmm16
	vmovapd	%xmm13, %xmm19
	vmovsd	%xmm22, 176(%rsp)
	vmovapd	%xmm24, %xmm15
	vmovapd	%xmm24, 256(%rsp)
	vmovsd	%xmm25, 168(%rsp)
	vmovsd	%xmm26, 224(%rsp)
	leaq	(%rcx,%rcx,2), %rcx
	shlq	$6, %rcx
	addq	%rdx, %rcx
	cmpq	$4, %rax
	sete	%dl
	vaddsd	48(%rcx,%rsi,8), %xmm5, %xmm20
	kmovd	%edx, %k1
	vmovsd	%xmm3, %xmm18, %xmm18 {%k1}
	vaddsd	40(%rcx,%rsi,8), %xmm18, %xmm18
	vmovsd	%xmm2, %xmm17, %xmm17 {%k1}
	vmovsd	%xmm1, %xmm16, %xmm16 {%k1}
	vmovsd	%xmm4, %xmm19, %xmm19 {%k1}
	vmovsd	%xmm0, %xmm15, %xmm15 {%k1}
	vaddsd	32(%rcx,%rsi,8), %xmm15, %xmm15
	movabsq	$.LCPI8_2, %rcx
	vmulsd	%xmm19, %xmm19, %xmm21
	vmovsd	(%rcx), %xmm25
	vmulsd	%xmm16, %xmm20, %xmm22
	vmulsd	%xmm17, %xmm18, %xmm23
	vfmsub231sd	%xmm18, %xmm20, %xmm21
	vmulsd	%xmm19, %xmm15, %xmm26
	vfmsub231sd	%xmm17, %xmm19, %xmm22
	vfmsub231sd	%xmm19, %xmm16, %xmm23
	vfmsub231sd	%xmm17, %xmm16, %xmm26
	vmulsd	%xmm17, %xmm23, %xmm24
	vfmadd231sd	%xmm16, %xmm22, %xmm24
	vmulsd	%xmm16, %xmm16, %xmm16
	vfmsub231sd	%xmm15, %xmm18, %xmm16
	vfmadd231sd	%xmm15, %xmm21, %xmm24
	vdivsd	%xmm24, %xmm25, %xmm24
	vmulsd	%xmm17, %xmm17, %xmm25
	vfmsub231sd	%xmm20, %xmm15, %xmm25
	vmulsd	%xmm21, %xmm24, %xmm20
	vmulsd	%xmm22, %xmm24, %xmm19
	vmulsd	%xmm23, %xmm24, %xmm17
	vmulsd	%xmm25, %xmm24, %xmm15
	vmulsd	%xmm26, %xmm24, %xmm18
	vmulsd	%xmm16, %xmm24, %xmm16
	jne	.LBB8_29
	vmovsd	168(%rsp), %xmm5
	vmovsd	184(%rsp), %xmm10
	vmovsd	176(%rsp), %xmm22
	vmovsd	224(%rsp), %xmm23
	vmovapd	%xmm6, %xmm21
	vmovapd	%xmm7, %xmm12
	vmovapd	%xmm8, %xmm11
	vmovapd	%xmm0, %xmm6
	vmovapd	%xmm3, %xmm8
	vmovapd	%xmm2, %xmm0
	vmovapd	%xmm1, %xmm7
	vmovapd	%xmm4, %xmm3
	jmp	.LBB8_30
.LBB8_29:
	vmovsd	224(%rsp), %xmm1
	vmovsd	176(%rsp), %xmm22
	vmovapd	192(%rsp), %xmm5
	vmovapd	256(%rsp), %xmm21
	vmovsd	168(%rsp), %xmm8
	vmovapd	%xmm14, %xmm0
	vmovapd	%xmm12, %xmm23
	vmovapd	%xmm13, %xmm3
.LBB8_30:
	vmulsd	%xmm27, %xmm21, %xmm21
	vmulsd	%xmm30, %xmm2, %xmm2
	vfmadd231sd	%xmm12, %xmm28, %xmm21
	vfmadd213sd	%xmm2, %xmm31, %xmm4
	vmovsd	160(%rsp), %xmm2
	vfmadd231sd	%xmm11, %xmm29, %xmm21
	vfmadd231sd	%xmm6, %xmm30, %xmm21
	vmulsd	%xmm27, %xmm23, %xmm6
	vfmadd213sd	%xmm4, %xmm22, %xmm2
	vfmadd231sd	%xmm5, %xmm28, %xmm6
	vfmadd231sd	%xmm1, %xmm31, %xmm21
	vfmadd213sd	%xmm2, %xmm27, %xmm14
	vfmadd231sd	%xmm10, %xmm29, %xmm6
	vfnmsub231sd	%xmm0, %xmm22, %xmm21
	vaddsd	-16(%rbp,%r15,8), %xmm21, %xmm1
	vfmadd213sd	%xmm14, %xmm28, %xmm13
	vfmadd231sd	%xmm7, %xmm30, %xmm6
	vfnmsub213sd	%xmm13, %xmm29, %xmm9
	vaddsd	(%rbp,%r15,8), %xmm9, %xmm2
	vfmadd231sd	%xmm8, %xmm31, %xmm6
	vmulsd	%xmm1, %xmm20, %xmm0
	vfnmsub231sd	%xmm3, %xmm22, %xmm6
	vaddsd	-8(%rbp,%r15,8), %xmm6, %xmm6
	vmulsd	%xmm19, %xmm1, %xmm3
	vmulsd	%xmm17, %xmm1, %xmm1
	vfmadd231sd	%xmm19, %xmm6, %xmm0
	vfmadd213sd	%xmm3, %xmm6, %xmm15
	vfmadd231sd	%xmm18, %xmm6, %xmm1
	vfmadd231sd	%xmm17, %xmm2, %xmm0
	vfmadd231sd	%xmm18, %xmm2, %xmm15
	vfmadd213sd	%xmm1, %xmm2, %xmm16
	vmovsd	%xmm0, (%r9,%r12,8)
	vmovsd	%xmm15, 8(%r9,%r12,8)
	vmovsd	%xmm16, 16(%r9,%r12,8)
	decq	%rax
	cmpq	$4, %rax
	ja	.LBB8_5
.LBB8_31:
	jmpq	*(%r13,%rax,8)
.LBB8_32:
	vaddsd	%xmm22, %xmm0, %xmm22
	jmp	.LBB8_5
.LBB8_33:
	vaddsd	8(%r9,%r12,8), %xmm28, %xmm28
	vaddsd	16(%r9,%r12,8), %xmm22, %xmm22
	jmp	.LBB8_4
.LBB8_34:
	vaddsd	8(%r9,%r12,8), %xmm31, %xmm31
	vaddsd	16(%r9,%r12,8), %xmm22, %xmm22
	vaddsd	%xmm30, %xmm0, %xmm30
	jmp	.LBB8_5
.LBB8_35:
	vfmadd231sd	208(%r14,%r15,4), %xmm0, %xmm29
	vfmadd231sd	216(%r14,%r15,4), %xmm0, %xmm22
	jmp	.LBB8_5
.LBB8_36:
	movq	216(%rsp), %rax
	movq	$-1, (%rax)
.LBB8_37:
	xorl	%eax, %eax
.LBB8_38:
	addq	$408, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.LBB8_39:
	movq	216(%rsp), %rax
	movq	%rbx, (%rax)
	jmp	.LBB8_37
.LBB8_40:
	movq	272(%rsp), %rcx
	movq	$0, (%rcx)
	jmp	.LBB8_38
.Lfunc_end8:
	.size	_ZN8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE, .Lfunc_end8-_ZN8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE
	.section	.rodata,"a",@progbits
	.p2align	3, 0x0
.LJTI8_0:
	.quad	.LBB8_5
	.quad	.LBB8_11
	.quad	.LBB8_13
	.quad	.LBB8_14
	.quad	.LBB8_12
	.quad	.LBB8_15
.LJTI8_1:
	.quad	.LBB8_32
	.quad	.LBB8_35
	.quad	.LBB8_33
	.quad	.LBB8_34
	.quad	.LBB8_2

	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0
.LCPI9_0:
	.quad	0x3ff0000000000000
	.section	.ltext,"axl",@progbits
	.weak	_ZN8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29
	.p2align	4
	.type	_ZN8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@function
_ZN8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29:
	vmovsd	80(%rsp), %xmm17
	vmovsd	88(%rsp), %xmm20
	vmovsd	72(%rsp), %xmm18
	vmovsd	104(%rsp), %xmm19
	vmovsd	96(%rsp), %xmm21
	vmovsd	64(%rsp), %xmm16
	movabsq	$.LCPI9_0, %rax
	vmovapd	%xmm6, %xmm9
	vmovsd	8(%rsp), %xmm6
	vmovapd	%xmm7, %xmm10
	vmovsd	16(%rsp), %xmm15
	vmovsd	24(%rsp), %xmm7
	vmovsd	%xmm5, -8(%rsp)
	vmovsd	32(%rsp), %xmm5
	vmovsd	40(%rsp), %xmm14
	vmovsd	48(%rsp), %xmm11
	vmovsd	56(%rsp), %xmm13
	vmovsd	(%rax), %xmm22
	xorl	%eax, %eax
	vmulsd	%xmm17, %xmm20, %xmm25
	vmulsd	%xmm18, %xmm19, %xmm24
	vmulsd	%xmm21, %xmm21, %xmm23
	vmulsd	%xmm17, %xmm17, %xmm27
	vmulsd	%xmm16, %xmm21, %xmm28
	vmulsd	%xmm18, %xmm18, %xmm29
	vfmsub231sd	%xmm18, %xmm21, %xmm25
	vfmsub231sd	%xmm17, %xmm21, %xmm24
	vfmsub231sd	%xmm20, %xmm19, %xmm23
	vfmsub231sd	%xmm19, %xmm16, %xmm27
	vfmsub231sd	%xmm17, %xmm18, %xmm28
	vfmsub231sd	%xmm16, %xmm20, %xmm29
	vmulsd	%xmm17, %xmm25, %xmm8
	vfmadd231sd	%xmm18, %xmm24, %xmm8
	vfmadd231sd	%xmm16, %xmm23, %xmm8
	vdivsd	%xmm8, %xmm22, %xmm26
	vmulsd	%xmm23, %xmm26, %xmm21
	vmulsd	%xmm24, %xmm26, %xmm19
	vmulsd	%xmm27, %xmm26, %xmm20
	vmulsd	%xmm25, %xmm26, %xmm18
	vmulsd	%xmm28, %xmm26, %xmm17
	vmulsd	%xmm29, %xmm26, %xmm16
	vmulsd	%xmm9, %xmm21, %xmm23
	vmulsd	%xmm9, %xmm19, %xmm24
	vmulsd	%xmm9, %xmm18, %xmm25
	vmulsd	%xmm15, %xmm21, %xmm26
	vmulsd	%xmm15, %xmm19, %xmm27
	vmulsd	%xmm15, %xmm18, %xmm28
	vmulsd	%xmm14, %xmm21, %xmm29
	vmulsd	%xmm14, %xmm19, %xmm30
	vfmadd231sd	%xmm10, %xmm19, %xmm23
	vfmadd231sd	%xmm10, %xmm20, %xmm24
	vfmadd231sd	%xmm10, %xmm17, %xmm25
	vfmadd231sd	%xmm7, %xmm19, %xmm26
	vfmadd231sd	%xmm7, %xmm20, %xmm27
	vfmadd231sd	%xmm7, %xmm17, %xmm28
	vfmadd231sd	%xmm11, %xmm19, %xmm29
	vfmadd231sd	%xmm11, %xmm20, %xmm30
	vfmadd231sd	%xmm6, %xmm18, %xmm23
	vfmadd231sd	%xmm6, %xmm17, %xmm24
	vfmadd231sd	%xmm6, %xmm16, %xmm25
	vfmadd231sd	%xmm5, %xmm18, %xmm26
	vfmadd231sd	%xmm5, %xmm17, %xmm27
	vfmadd231sd	%xmm5, %xmm16, %xmm28
	vfmadd231sd	%xmm13, %xmm18, %xmm29
	vfmadd231sd	%xmm13, %xmm17, %xmm30
	vmulsd	%xmm9, %xmm23, %xmm31
	vmulsd	%xmm14, %xmm29, %xmm12
	vfmadd231sd	%xmm10, %xmm24, %xmm31
	vfmadd231sd	%xmm11, %xmm30, %xmm12
	vfnmsub231sd	%xmm6, %xmm25, %xmm31
	vaddsd	%xmm31, %xmm0, %xmm31
	vmulsd	%xmm15, %xmm23, %xmm0
	vfmadd231sd	%xmm7, %xmm24, %xmm0
	vfnmsub231sd	%xmm5, %xmm25, %xmm0
	vaddsd	%xmm0, %xmm1, %xmm1
	vmulsd	%xmm14, %xmm23, %xmm0
	vfmadd231sd	%xmm11, %xmm24, %xmm0
	vfnmsub231sd	%xmm13, %xmm25, %xmm0
	vaddsd	%xmm0, %xmm2, %xmm0
	vmulsd	%xmm15, %xmm26, %xmm2
	vfmadd231sd	%xmm7, %xmm27, %xmm2
	vmulsd	%xmm0, %xmm0, %xmm7
	vfnmsub231sd	%xmm5, %xmm28, %xmm2
	vaddsd	%xmm2, %xmm3, %xmm6
	vmulsd	%xmm14, %xmm26, %xmm3
	vfmadd231sd	%xmm11, %xmm27, %xmm3
	vmulsd	%xmm0, %xmm6, %xmm2
	vfnmsub231sd	%xmm13, %xmm28, %xmm3
	vaddsd	%xmm3, %xmm4, %xmm3
	vmulsd	%xmm14, %xmm18, %xmm4
	vfmadd231sd	%xmm11, %xmm17, %xmm4
	vmulsd	%xmm3, %xmm3, %xmm5
	vfmsub231sd	%xmm1, %xmm3, %xmm2
	vfmadd231sd	%xmm13, %xmm16, %xmm4
	vfnmsub231sd	%xmm13, %xmm4, %xmm12
	vaddsd	-8(%rsp), %xmm12, %xmm12
	vfmsub231sd	%xmm6, %xmm12, %xmm5
	vfmsub231sd	%xmm12, %xmm31, %xmm7
	vmulsd	%xmm1, %xmm12, %xmm12
	vfmsub231sd	%xmm0, %xmm3, %xmm12
	vmulsd	%xmm31, %xmm3, %xmm3
	vfmsub231sd	%xmm0, %xmm1, %xmm3
	vmulsd	%xmm0, %xmm2, %xmm0
	vfmadd231sd	%xmm1, %xmm12, %xmm0
	vmulsd	%xmm1, %xmm1, %xmm1
	vfmsub231sd	%xmm31, %xmm6, %xmm1
	vmovsd	112(%rsp), %xmm6
	vfmadd231sd	%xmm31, %xmm5, %xmm0
	vmovsd	120(%rsp), %xmm31
	vmulsd	%xmm6, %xmm23, %xmm23
	vfmadd231sd	%xmm24, %xmm31, %xmm23
	vmovsd	128(%rsp), %xmm24
	vfnmsub231sd	%xmm25, %xmm24, %xmm23
	vmulsd	%xmm6, %xmm26, %xmm25
	vfmadd231sd	%xmm27, %xmm31, %xmm25
	vaddsd	136(%rsp), %xmm23, %xmm27
	vfnmsub231sd	%xmm28, %xmm24, %xmm25
	vmulsd	%xmm6, %xmm29, %xmm28
	vaddsd	144(%rsp), %xmm25, %xmm23
	vfmadd231sd	%xmm30, %xmm31, %xmm28
	vmulsd	%xmm27, %xmm5, %xmm5
	vfnmsub231sd	%xmm4, %xmm24, %xmm28
	vdivsd	%xmm0, %xmm22, %xmm4
	vaddsd	152(%rsp), %xmm28, %xmm25
	vmulsd	%xmm23, %xmm7, %xmm7
	vmulsd	%xmm25, %xmm1, %xmm1
	vmulsd	%xmm4, %xmm12, %xmm12
	vmulsd	%xmm4, %xmm5, %xmm5
	vmulsd	%xmm4, %xmm7, %xmm7
	vmulsd	%xmm2, %xmm4, %xmm2
	vmulsd	%xmm4, %xmm1, %xmm1
	vmulsd	%xmm3, %xmm4, %xmm3
	vfmadd231sd	%xmm23, %xmm12, %xmm5
	vfmadd231sd	%xmm12, %xmm27, %xmm7
	vfmadd231sd	%xmm27, %xmm2, %xmm1
	vfmadd231sd	%xmm25, %xmm2, %xmm5
	vfmadd231sd	%xmm25, %xmm3, %xmm7
	vfmadd231sd	%xmm23, %xmm3, %xmm1
	vmulsd	8(%rsp), %xmm5, %xmm4
	vfmadd231sd	32(%rsp), %xmm7, %xmm4
	vmulsd	%xmm5, %xmm10, %xmm3
	vfmadd231sd	24(%rsp), %xmm7, %xmm3
	vmulsd	%xmm5, %xmm9, %xmm2
	vfmadd231sd	%xmm15, %xmm7, %xmm2
	vfnmsub231sd	%xmm14, %xmm1, %xmm2
	vfnmsub231sd	%xmm13, %xmm1, %xmm4
	vfnmsub231sd	%xmm11, %xmm1, %xmm3
	vaddsd	%xmm2, %xmm6, %xmm2
	vmulsd	%xmm21, %xmm2, %xmm6
	vmulsd	%xmm19, %xmm2, %xmm9
	vmulsd	%xmm18, %xmm2, %xmm2
	vaddsd	%xmm4, %xmm24, %xmm4
	vaddsd	%xmm3, %xmm31, %xmm3
	vfmadd231sd	%xmm19, %xmm3, %xmm6
	vfmadd231sd	%xmm20, %xmm3, %xmm9
	vfmadd231sd	%xmm17, %xmm3, %xmm2
	vfmadd231sd	%xmm18, %xmm4, %xmm6
	vfmadd231sd	%xmm17, %xmm4, %xmm9
	vfmadd231sd	%xmm16, %xmm4, %xmm2
	vmovsd	%xmm6, (%rdi)
	vmovsd	%xmm9, 8(%rdi)
	vmovsd	%xmm2, 16(%rdi)
	vmovsd	%xmm5, 24(%rdi)
	vmovsd	%xmm7, 32(%rdi)
	vmovsd	%xmm1, 40(%rdi)
	vmovsd	%xmm8, 48(%rdi)
	vmovsd	%xmm0, 56(%rdi)
	retq
.Lfunc_end9:
	.size	_ZN8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29, .Lfunc_end9-_ZN8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29

	.type	.const.aba,@object
	.section	.lrodata,"al",@progbits
.const.aba:
	.asciz	"aba"
	.size	.const.aba, 4

	.type	_ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE",@object
	.p2align	4, 0x0
".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE":
	.asciz	"missing Environment: _ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE"
	.size	".const.missing Environment: _ZN08NumbaEnv8linkwork7kernels3aba3abaB3v56B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTFGXwxAa2TRMAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE", 400

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
	.type	_ZN08NumbaEnv8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba12forward_passB3v57B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
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
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11store_xformB3v22B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11store_xformB3v22B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout12load_inertiaB3v38B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout12load_inertiaB3v38B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v12B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v12B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_symB3v39B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_symB3v39B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10gyroscopicB3v44B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10gyroscopicB3v44B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10applied_atB3v46B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10applied_atB3v46B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_subB3v48B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_subB3v48B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout12store_wrenchB3v49B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout12store_wrenchB3v49B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial11articulatedB3v58B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial11articulatedB3v58B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE82Inertia_28float64_2c_20Vec3_28float64_20x_203_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba13backward_passB3v61B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial16wrench_to_parentB3v51B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial16wrench_to_parentB3v51B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10add_wrenchB3v52B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10add_wrenchB3v52B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba5alongB3v66B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba5alongB3v66B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba7combineB3v74B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2925Vec3_28float64_20x_203_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba7combineB3v74B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2925Vec3_28float64_20x_203_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba10eliminate3B3v75B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba6along3B3v72B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba6along3B3v72B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx45Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial17articulated_minusB3v69B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29d,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial17articulated_minusB3v69B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29d,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec35scaleB3v41B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEd25Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec35scaleB3v41B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEd25Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4rnea15ground_velocityB3v27B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea15ground_velocityB3v27B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial21articulated_to_parentB3v77B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec310rotate_symB3v78B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec310rotate_symB3v78B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37mat_mulB3v19B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37mat_mulB3v19B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec34fullB3v80B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec34fullB3v80B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec38skew_mulB3v81B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec38skew_mulB3v81B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec39transposeB3v83B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec39transposeB3v83B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial15articulated_addB3v84B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial15articulated_addB3v84B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37sym_addB3v85B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37sym_addB3v85B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37mat_addB3v82B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37mat_addB3v82B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout17store_articulatedB3v59B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout17store_articulatedB3v59B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9store_symB3v60B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9store_symB3v60B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9store_matB3v23B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9store_matB3v23B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout6statusB3v86B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_282_29x,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout6statusB3v86B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_282_29x,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba17acceleration_passB3v87B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9index_rowB2v8B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9index_rowB2v8B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4rnea19ground_accelerationB3v28B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEd,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4rnea19ground_accelerationB3v28B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEd,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11load_motionB3v29B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11load_motionB3v29B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10load_xformB3v25B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10load_xformB3v25B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial15motion_to_childB3v30B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial15motion_to_childB3v30B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE67Xform_28Mat3_28float64_20x_209_29_2c_20Vec3_28float64_20x_203_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints10joint_biasB3v34B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints10joint_biasB3v34B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial12cross_motionB3v35B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial12cross_motionB3v35B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec35crossB3v31B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec35crossB3v31B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10motion_addB3v36B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10motion_addB3v36B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout16load_articulatedB3v62B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout16load_articulatedB3v62B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_symB3v63B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_symB3v63B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_matB3v26B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_matB3v26B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba6columnB3v65B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba6columnB3v65B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial5powerB3v89B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial5powerB3v89B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Motion_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33dotB3v88B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33dotB3v88B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11load_wrenchB3v47B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11load_wrenchB3v47B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial15articulated_mulB3v76B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial15articulated_mulB3v76B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_addB3v45B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels7spatial10wrench_addB3v45B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE45Wrench_28Vec3_28float64_20x_203_29_20x_202_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba13damping_forceB3v64B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba13damping_forceB3v64B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout10damping_atB3v54B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout10damping_atB3v54B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels5dense17articulated_solveB3v90B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_2945Wrench_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels5dense11mat_sym_mulB3v91B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels5dense11mat_sym_mulB3v91B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec39mat_mul_tB3v79B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec39mat_mul_tB3v79B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Mat3_28float64_20x_209_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37sym_subB3v92B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37sym_subB3v92B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33mulB3v21B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33mulB3v21B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33subB3v42B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33subB3v42B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec34tmulB3v32B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec34tmulB3v32B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Mat3_28float64_20x_209_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba5traceB3v67B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba5traceB3v67B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba10negligibleB3v68B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEdd,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba10negligibleB3v68B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEdd,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba14joint_inertia3B3v70B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba14joint_inertia3B3v70B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedE5ArrayIxLi1E1C8readonly7alignedExx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout11armature_atB3v53B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout11armature_atB3v53B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIxLi1E1C8readonly7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec311sym_inverseB3v71B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec311sym_inverseB3v71B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels3aba7columnsB3v73B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels3aba7columnsB3v73B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx111ArticulatedInertia_28Sym3_28float64_20x_206_29_2c_20Mat3_28float64_20x_209_29_2c_20Sym3_28float64_20x_206_29_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec37sym_mulB3v43B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec37sym_mulB3v43B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Sym3_28float64_20x_206_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6joints14joint_velocityB3v33B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6joints14joint_velocityB3v33B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C8readonly7alignedExx5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9model_rowB3v10B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9model_rowB3v10B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v20B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout8load_vecB3v20B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels4vec33addB3v17B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels4vec33addB3v17B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE25Vec3_28float64_20x_203_2925Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout12store_motionB3v37B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout12store_motionB3v37B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx45Motion_28Vec3_28float64_20x_203_29_20x_202_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout9store_vecB3v24B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Vec3_28float64_20x_203_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout9store_vecB3v24B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE5ArrayIdLi1E1C7mutable7alignedEx25Vec3_28float64_20x_203_29,8,8
	.type	_ZN08NumbaEnv8linkwork7kernels6layout6statusB3v55B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_283_2923Literal_5bint_5d_280_29,@object
	.comm	_ZN08NumbaEnv8linkwork7kernels6layout6statusB3v55B122c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqyfl5JUWJySUgdmJRcgGILgKmq_2bL8ZBAzr7hKvVYTGPpoCQFqJWaygUogJU6wiCYAE23Literal_5bint_5d_283_2923Literal_5bint_5d_280_29,8,8
	.section	".note.GNU-stack","",@progbits
