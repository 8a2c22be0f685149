package io.volume4j.inmemory.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import org.junit.jupiter.api.Test;

/** Pods that describe one unit of storage themselves are told of each other as those of one claim are. */
class SharedVolumesTest {
    private static final String CONFLICT = "SELinuxLabelConflict";

    private final ControlBench bench = new ControlBench();

    SharedVolumesTest() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.SELINUX));
        bench.plugins.add(new IscsiPlugin());
    }

    @Test
    void ofOneUnitWithDifferentContexts() {
        bench.given(pod("default", "a", "s0:c1", 1), pod("default", "b", "s0:c2", 1));

        bench.start();
        bench.settle();

        assertThat(bench.told(ObjectKey.pod("default", "a"))).containsExactly(CONFLICT);
        assertThat(bench.told(ObjectKey.pod("default", "b"))).containsExactly(CONFLICT);
    }

    @Test
    void notOfTwoUnitsNorWithOneContext() {
        bench.given(pod("default", "a", "s0:c1", 1), pod("default", "b", "s0:c2", 2), pod("default", "c", "s0:c1", 1));

        bench.start();
        bench.settle();

        assertThat(bench.told(ObjectKey.pod("default", "a"))).isEmpty();
        assertThat(bench.told(ObjectKey.pod("default", "b"))).isEmpty();
    }

    @Test
    void andAPodThatComesLaterInAnotherNamespaceTellsTheFirst() {
        bench.given(pod("default", "a", "s0:c1", 1));
        bench.start();
        bench.settle();
        assertThat(bench.told(ObjectKey.pod("default", "a"))).isEmpty();

        bench.cluster.apply(pod("other", "b", "s0:c2", 1));
        bench.settle();

        assertThat(bench.told(ObjectKey.pod("default", "a"))).containsExactly(CONFLICT);
        assertThat(bench.told(ObjectKey.pod("other", "b"))).containsExactly(CONFLICT);
    }

    private static ApiObject pod(String namespace, String name, String level, int lun) {
        return Manifests.read("test", """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: %s, uid: u-%s}
                spec:
                  securityContext: {seLinuxOptions: {level: "%s"}}
                  volumes:
                  - {name: data, iscsi: {targetPortal: "10.0.0.1:3260", iqn: "iqn.2003-01.org.example:disk", lun: %d, fsType: ext4}}
                  containers: [{name: app, volumeMounts: [{name: data, mountPath: /data}]}]
                """.formatted(name, namespace, name, level, lun))
                .get(0);
    }
}
