package io.volume4j.inmemory.local;

import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Quantity;

/** emptyDir on a disk with project quotas: whenever the process dies, no quota is left without its directory. */
class EmptyDirWithQuotaContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new EmptyDirSubject(
                InMemoryMountBackend.builder().projectQuotas().build(), new EmptyDirSource("", Quantity.parse("1Mi")));
    }
}
