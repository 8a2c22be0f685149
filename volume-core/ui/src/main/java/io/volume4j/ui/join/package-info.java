/**
 * What other views show, joined with one's own: each is asked over HTTP while a viewer looks. {@link
 * io.volume4j.ui.join.JoinedSummary} merges summaries and is pure. Knows {@code web} for refusals, and no reconciler.
 */
@NullMarked
package io.volume4j.ui.join;

import org.jspecify.annotations.NullMarked;
