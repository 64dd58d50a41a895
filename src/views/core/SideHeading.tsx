import styles from './SideHeading.module.css';

/** Whose side of a comparison it is. */
export function SideHeading({ text }: { readonly text: string }) {
  return (
    <h4 className={styles.heading}>
      <bdi>{text}</bdi>
    </h4>
  );
}
