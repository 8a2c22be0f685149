/**
 * Interfaces that a plugin implements: {@link io.volume4j.spi.plugin.VolumePlugin}, and one small blocking interface
 * for each capability. Each call has one request record and one result record.
 *
 * <p>The library makes the request records; plugins make result records with their static factories. Both may get new
 * components in later versions, so a plugin must not call a request's constructor. Calls run on worker threads, each
 * with a {@link io.volume4j.spi.CallContext}. Calls for one volume never overlap, except those of
 * {@link io.volume4j.spi.plugin.StatsReporter}. Every call must be idempotent: the library repeats a request after a
 * crash or a lost answer.
 *
 * <p>Depends on {@link io.volume4j.spi} and its model, mount and host packages, and on no library.
 */
package io.volume4j.spi.plugin;
