import { useEffect, useRef } from 'react';
import styles from './Laser.module.css';
import { startLaser } from './laser-motion.ts';

/**
 * A dot at the pointer with a short trail. When the lesson goes on or a link is
 * followed, the dot goes from there to what is shown, so that eyes follow.
 */
export function Laser() {
  const dot = useRef<HTMLSpanElement>(null);
  const trail = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (dot.current === null || trail.current === null) return;
    return startLaser(dot.current, trail.current);
  }, []);
  return (
    <div className={styles.laser} aria-hidden>
      <canvas ref={trail} className={styles.trail} />
      <span ref={dot} className={styles.dot} data-laser="" hidden />
    </div>
  );
}
