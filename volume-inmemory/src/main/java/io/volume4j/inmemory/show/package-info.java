/**
 * Shows a simulated run as a page for browsers, with pure functions from its timeline to text. Depends on the
 * scenario's result only.
 */
@NullMarked
package io.volume4j.inmemory.show;

import org.jspecify.annotations.NullMarked;
