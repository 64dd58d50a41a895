/**
 * Calls that take values away: packet pointers once the packet may have moved, references once they
 * are released, what an RCU read lock or a spin lock protected once it ends. The log does not print
 * these changes. Source: kernel/bpf/verifier.c, clear_all_pkt_pointers(), release_reference(),
 * invalidate_non_owning_refs(); net/core/filter.c, bpf_helper_changes_pkt_data().
 */
import type { Value } from '#formats/verifier-log/line.ts';

const CHANGES_PACKET: ReadonlySet<string> = new Set([
  'bpf_clone_redirect',
  'bpf_l3_csum_replace',
  'bpf_l4_csum_replace',
  'bpf_lwt_push_encap',
  'bpf_lwt_seg6_action',
  'bpf_lwt_seg6_adjust_srh',
  'bpf_lwt_seg6_store_bytes',
  'bpf_msg_pop_data',
  'bpf_msg_pull_data',
  'bpf_msg_push_data',
  'bpf_skb_adjust_room',
  'bpf_skb_change_head',
  'bpf_skb_change_proto',
  'bpf_skb_change_tail',
  'bpf_skb_pull_data',
  'bpf_skb_store_bytes',
  'bpf_skb_vlan_pop',
  'bpf_skb_vlan_push',
  'bpf_store_hdr_opt',
  'bpf_xdp_adjust_head',
  'bpf_xdp_adjust_meta',
  'bpf_xdp_adjust_tail',
  'bpf_xdp_pull_data',
]);

/** Largest number in a packet pointer, MAX_PACKET_OFF. */
export const MAX_PACKET_OFF = 0xffffn;

/** True if a call may move the packet, which ends what points into it. */
export function movesPacket(name: string): boolean {
  return CHANGES_PACKET.has(name);
}

export type CallEffect = {
  /** Name of the helper or kernel function. */
  readonly name: string;
  /** True if the reference is still held after the call, or the log does not tell. */
  isHeldAfter(id: number): boolean;
  /** True if the reference was held before the call, as far as the log tells. */
  isHeldBefore(id: number): boolean;
};

const RCU = /(?:^|_)rcu_/;

/** True if a call takes a value away. */
export function endsValue(call: CallEffect | null, { type, kv }: Value): boolean {
  if (call === null) return false;
  if (isOfPacket(type)) return CHANGES_PACKET.has(call.name);
  if (RCU.test(type)) return call.name === 'bpf_rcu_read_unlock';
  return kv.some(([key, text]) => {
    if (key === 'non_own_ref') return call.name.endsWith('spin_unlock');
    if (!isReference(key) || call.isHeldAfter(Number(text))) return false;
    // A branch may have released it before: that to the path on which the pointer is NULL.
    return call.isHeldBefore(Number(text));
  });
}

/** True if a call can take a value of this kind away. */
export function mayEnd({ type, kv }: Value): boolean {
  if (type === 'scalar') return false;
  return (
    isOfPacket(type) ||
    RCU.test(type) ||
    kv.some(([key]) => isReference(key) || key === 'non_own_ref')
  );
}

function isOfPacket(type: string): boolean {
  return type === 'pkt' || type === 'pkt_meta' || type === 'pkt_end';
}

/** From Linux 7.3 on, the id of a pointer is that of its reference. */
function isReference(key: string): boolean {
  return key === 'ref_obj_id' || key === 'ref_id' || key === 'id';
}
