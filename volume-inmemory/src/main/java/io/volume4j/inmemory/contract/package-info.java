/**
 * What every mount backend, every plugin and every cluster must do, as JUnit 5 classes to extend. JUnit is an optional dependency of this
 * module: a project that extends these classes has it.
 *
 * <p>Depends on the SPI, the manifest codec, JUnit and the host fakes. Knows no plugin and no cluster, and no backend but where
 * the machine of the tests is theirs ({@code LinuxFixture}).
 */
package io.volume4j.inmemory.contract;
