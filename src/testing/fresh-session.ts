/** Setup file of vitest: registers the views and resets the session before each test file. */
import '#app/views.ts';
import { session } from '#store/session/session.ts';

session.setState(session.getInitialState(), true);
