import type { GivenAnswer } from '#lessons/right-answer.ts';
import { MISSES_BEFORE_SHOWN, showAnswer } from '#store/lesson/lesson-player.ts';
import { Button } from '#ui/Button.tsx';

type ShowMeProps = {
  /** Wrong answers so far. */
  readonly misses: number;
  readonly isRight: boolean;
  /** Takes the right answer, where it is not shown in the tool; null: there is none. */
  readonly onShown: (right: GivenAnswer | null) => void;
};

/** Gives the answer away, once somebody has tried often enough. */
export function ShowMe({ misses, isRight, onShown }: ShowMeProps) {
  if (isRight || misses < MISSES_BEFORE_SHOWN) return null;
  return (
    <div>
      <Button size="small" onClick={() => void showAnswer().then(onShown)}>
        Show me
      </Button>
    </div>
  );
}
