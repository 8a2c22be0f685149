/**
 * What a plugin offers: {@link io.volume4j.spi.plugin.VolumePlugin} and one small blocking interface for each
 * capability, with one request record and one result record a call.
 *
 * <p>Request records are made by the library and result records by their static factories; both may get new components
 * in later versions, so a plugin never calls a request's constructor. Calls run on worker threads, each with a {@link
 * io.volume4j.spi.CallContext}; calls for one volume never overlap. Every call must be idempotent: the same
 * request may come again after a crash, a lost answer or a success whose answer was lost.
 *
 * <p>May depend on {@link io.volume4j.spi}, its model, mount and host packages. Never on a library.
 */
package io.volume4j.spi.plugin;
