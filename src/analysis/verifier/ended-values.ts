/**
 * Calls that take values away: packet pointers once the packet may have moved, references once they
 * are released, what an RCU read lock or a spin lock protected once it ends. The log does not print
 * these changes. Source: kernel/bpf/verifier.c, clear_all_pkt_pointers(), release_reference(),
 * invalidate_non_owning_refs(); net/core/filter.c, bpf_helper_changes_pkt_data().
 */
import type { InsnCall } from '#formats/verifier-log/insn-text.ts';
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

/** True if a call takes a value away. `lost`: ids of the references that it releases. */
export function endsValue(call: InsnCall | null, value: Value, lost: readonly number[]): boolean {
  if (call === null) return false;
  const { type } = value;
  if (type === 'pkt' || type === 'pkt_meta' || type === 'pkt_end') {
    return CHANGES_PACKET.has(call.name);
  }
  if (/(?:^|_)rcu_/.test(type)) return call.name === 'bpf_rcu_read_unlock';
  let hasLostId = false;
  let isNonOwning = false;
  for (const [key, text] of value.kv) {
    hasLostId ||= (key === 'ref_obj_id' || key === 'ref_id') && lost.includes(Number(text));
    isNonOwning ||= key === 'non_own_ref';
  }
  return hasLostId || (isNonOwning && call.name.endsWith('spin_unlock'));
}
