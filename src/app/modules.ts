/** Removable modules: delete the folders and the import; `node scripts/build-without.mjs` checks it. */

// lessons, store/lesson, views/class, views/handout, views/lesson, views/lesson-editor, views/presenter
import '#views/lesson/teaching.tsx';
