/**
 * Runs before each test file: registers the views, and resets the session that the previous file
 * has left.
 */
import '#app/views.ts';
import { session } from '#store/session/session.ts';

session.setState(session.getInitialState(), true);
