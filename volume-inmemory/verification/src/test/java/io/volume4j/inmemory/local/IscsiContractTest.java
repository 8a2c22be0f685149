package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** iscsi over two portals, each volume a target of its own. */
class IscsiContractTest extends PluginContract {
    private static final Set<String> PORTALS = Set.of("10.0.0.1:3260", "10.0.0.2:3260");

    @Override
    protected PluginUnderTest subject() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        ScriptedInitiator initiator = new ScriptedInitiator(machine);
        initiator.bus.startMultipath();
        return new MemorySubject(machine) {
            @Override
            public VolumePlugin newPlugin() {
                return new IscsiPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                String target = "iqn.2003-01.org.example:" + name;
                initiator.target(target, PORTALS, Map.of("1", "3600" + name));
                return source(target);
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(source("iqn.2003-01.org.example:no-such-target"));
            }

            @Override
            public void verifyNothingIsLeft() {
                super.verifyNothingIsLeft();
                assertThat(initiator.sessions()).isEmpty();
                assertThat(initiator.records()).isEmpty();
                assertThat(initiator.bus.disks()).isEmpty();
            }
        };
    }

    private static IscsiSource source(String target) {
        return new IscsiSource(
                "10.0.0.1", target, 1, "", "xfs", false, List.of("10.0.0.2:3260"), false, false, null, "");
    }
}
