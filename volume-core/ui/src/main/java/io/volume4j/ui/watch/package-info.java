/**
 * Reads nodes and controllers while at least one viewer looks: a few keys at a time, those that the feed names. Everything here runs on
 * threads of the view; what it asks is answered by the event loops as immutable readings.
 */
@NullMarked
package io.volume4j.ui.watch;

import org.jspecify.annotations.NullMarked;
