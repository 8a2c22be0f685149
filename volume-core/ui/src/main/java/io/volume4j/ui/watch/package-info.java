/**
 * Reads nodes and controllers while the view has at least one viewer: a few of the keys that the feed reports at a
 * time. All code runs on threads of the view. The event loops answer its queries with immutable readings.
 */
@NullMarked
package io.volume4j.ui.watch;

import org.jspecify.annotations.NullMarked;
