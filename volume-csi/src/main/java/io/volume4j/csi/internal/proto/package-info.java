/**
 * The messages and stubs of CSI, generated from {@code csi.proto}. Nothing is written here by hand.
 *
 * <p>Used by everything under {@code io.volume4j.csi.internal}; never exported, and never in a public signature.
 */
@NullUnmarked
package io.volume4j.csi.internal.proto;

import org.jspecify.annotations.NullUnmarked;
