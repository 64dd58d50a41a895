/** What a search for paths looks for: where it may begin, and where and how it may end. */
import type { TypeId } from '#model/ids.ts';

/** A member of a struct or union, by its number. */
export type MemberStep = { readonly type: TypeId; readonly index: number };

/**
 * What the part is that a container_of begins at: a link of a list (`list_head`), another
 * link (`rb_node`), something general (`spinlock_t`), or a type of its own (`sock`). Of all
 * but the last BTF does not even hint at what they stand in.
 */
export type ContainerPart = 'list' | 'link' | 'general' | 'part';

/** `container_of`: from a pointer to what `members` lead to, back to the `type` around it. */
export type ContainerStep = {
  readonly type: TypeId;
  readonly members: readonly MemberStep[];
  readonly through: ContainerPart;
};

export type Ending = {
  /** The node that it ends at. */
  readonly at: number;
  /** See `stepWeight`. */
  readonly weight: number;
  /** Only where a pointer has led to `at`: container_of wants one. */
  readonly byPointer: boolean;
  readonly container: ContainerStep | null;
  /** Members from there, or from the container, to a field. */
  readonly field: readonly MemberStep[];
};

export type PathGoal = {
  readonly endings: readonly Ending[];
  /** Nodes that are asked for themselves: no path goes on from them. */
  readonly stops: ReadonlySet<number>;
};
