/** Two logs of one program. This file imports nothing, so that e2e tests can use it. */

/** A program that Linux 6.18 accepts: it knows that the lookup finds a value. */
export const KNOWS_MORE = `0: R1=ctx() R10=fp0
; n = bpf_get_prandom_u32(); @ a.c:3
0: (85) call bpf_get_prandom_u32#7    ; R0=scalar(smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff))
; n &= 63; @ a.c:4
1: (57) r0 &= 63                      ; R0=scalar(smin=smin32=0,smax=umax=smax32=umax32=63,var_off=(0x0; 0x3f))
; e = bpf_map_lookup_elem(&m, &k); @ a.c:5
2: (18) r1 = 0xffff8885160e0c00       ; R1=map_ptr(map=m,ks=4,vs=8)
4: (bf) r6 = r0                       ; R0=scalar(id=1,smin=0,smax=umax=63,var_off=(0x0; 0x3f)) R6=scalar(id=1,smin=0,smax=umax=63,var_off=(0x0; 0x3f))
5: (85) call bpf_map_lookup_elem#1    ; R0=map_value(map=m,ks=4,vs=8)
; return *e; @ a.c:6
6: (79) r0 = *(u64 *)(r0 +0)          ; R0=scalar()
7: (95) exit
processed 8 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;

/** The same program on a kernel that prints less and knows less: the result may be NULL. */
export const KNOWS_LESS = `0: R1=ctx(off=0,imm=0) R10=fp0
; n = bpf_get_prandom_u32();
0: (85) call bpf_get_prandom_u32#7    ; R0_w=scalar(umax=4294967295,var_off=(0x0; 0xffffffff))
; n &= 63;
1: (57) r0 &= 63                      ; R0_w=scalar(umax=63,var_off=(0x0; 0x3f))
; e = bpf_map_lookup_elem(&m, &k);
2: (18) r1 = 0xffff8885160f0000       ; R1_w=map_ptr(off=0,ks=4,vs=8,imm=0)
4: (bf) r6 = r0                       ; R0_w=scalar(id=3,umax=63,var_off=(0x0; 0x3f)) R6_w=scalar(id=3,umax=63,var_off=(0x0; 0x3f))
5: (85) call bpf_map_lookup_elem#1    ; R0_w=map_value_or_null(id=1,off=0,ks=4,vs=8,imm=0)
; return *e;
6: (79) r0 = *(u64 *)(r0 +0)
R0 invalid mem access 'map_value_or_null'
processed 7 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
