/**
 * The messages and stubs by which a driver makes itself known, generated from {@code pluginregistration.proto}. Nothing
 * is written here by hand.
 */
@NullUnmarked
package io.volume4j.csi.internal.proto.registration;

import org.jspecify.annotations.NullUnmarked;
