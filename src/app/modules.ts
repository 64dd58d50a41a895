/** Removable modules. `scripts/build-without.mjs` tests the page without these folders. */

// lessons, store/lesson, views/class, views/handout, views/lesson, views/lesson-editor, views/presenter
import '#views/lesson/teaching.tsx';
