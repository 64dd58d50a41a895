/**
 * Runs before each test file: registers the views, and removes the state of another file from the
 * session.
 */
import '#app/views.ts';
import { session } from '#store/session/session.ts';

session.setState(session.getInitialState(), true);
