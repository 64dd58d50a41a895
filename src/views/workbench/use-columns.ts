import { type RefObject, useEffect, useRef, useState } from 'react';

/** CSS pixels that sixteen columns take, offset and text with them. */
const SIXTEEN = 620;
const THIRTY_TWO = 1240;

/** How many bytes a row has where the hex is drawn, and the element that says so. */
export function useColumns(): {
  readonly columns: 8 | 16 | 32;
  readonly frame: RefObject<HTMLDivElement | null>;
} {
  const frame = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState<8 | 16 | 32>(8);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth;
      setColumns(width >= THIRTY_TWO ? 32 : width >= SIXTEEN ? 16 : 8);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { columns, frame };
}
