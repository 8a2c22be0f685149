/**
 * Joins the contents of other views with the own view. It reads them over HTTP while the view has viewers.
 * {@link io.volume4j.ui.join.JoinedSummary} merges summaries and is pure. Depends on {@code web} for refusals, and on
 * no reconciler.
 */
@NullMarked
package io.volume4j.ui.join;

import org.jspecify.annotations.NullMarked;
