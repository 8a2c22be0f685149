/**
 * The view over HTTP: who may ask, what is answered, and the files of the page. Nothing here knows a reconciler: what is shown and what
 * is done comes in through {@link io.volume4j.ui.web.Shows}.
 */
@NullMarked
package io.volume4j.ui.web;

import org.jspecify.annotations.NullMarked;
