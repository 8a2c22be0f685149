/**
 * The view over HTTP: access control, answers, and the files of the page. It is independent of reconcilers:
 * {@link io.volume4j.ui.web.Shows} provides the data and the actions.
 */
@NullMarked
package io.volume4j.ui.web;

import org.jspecify.annotations.NullMarked;
