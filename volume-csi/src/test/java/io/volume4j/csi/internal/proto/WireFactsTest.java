package io.volume4j.csi.internal.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.volume4j.csi.internal.proto.registration.PluginRegistrationProto;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Our schema says neither more nor less than the figures, and the figures are all there. */
class WireFactsTest {

    private final WireFacts facts = WireFacts.read();

    @Test
    void schemaEqualsTheFiguresButKeepsWhatDriversOf112Say() {
        SortedSet<String> wanted = new TreeSet<>(facts.csi());
        wanted.addAll(facts.deleted());
        wanted.removeIf(fact -> fact.startsWith("reserved "));
        assertThat(SchemaFacts.of(CsiProto.getDescriptor())).isEqualTo(wanted);
    }

    /** Three fields, one message with two fields, two values; in their place five numbers are reserved. */
    @Test
    void whatIsKeptFrom112IsWhatIsReservedNow() {
        assertThat(facts.deleted())
                .filteredOn(fact -> !facts.csi().contains(fact))
                .containsExactlyInAnyOrder(
                        "field ListVolumesResponse.VolumeStatus.volume_condition = 2: VolumeCondition !alpha",
                        "field ControllerGetVolumeResponse.VolumeStatus.volume_condition = 2: VolumeCondition",
                        "field NodeGetVolumeStatsResponse.volume_condition = 2: VolumeCondition !alpha",
                        "message VolumeCondition !alpha",
                        "field VolumeCondition.abnormal = 1: bool",
                        "field VolumeCondition.message = 2: string",
                        "value ControllerServiceCapability.RPC.Type.VOLUME_CONDITION = 11 !alpha",
                        "value NodeServiceCapability.RPC.Type.VOLUME_CONDITION = 4 !alpha");
        assertThat(facts.csi())
                .filteredOn(fact -> fact.startsWith("reserved "))
                .containsExactly(
                        "reserved ControllerGetVolumeResponse.VolumeStatus = 2",
                        "reserved ControllerServiceCapability.RPC.Type = 11",
                        "reserved ListVolumesResponse.VolumeStatus = 2",
                        "reserved NodeGetVolumeStatsResponse = 2",
                        "reserved NodeServiceCapability.RPC.Type = 4");
    }

    @Test
    void registrationSchemaEqualsTheFigures() {
        assertThat(SchemaFacts.of(PluginRegistrationProto.getDescriptor())).isEqualTo(facts.registration());
    }

    /** A table that lost lines on its way here would make the comparison weaker without making it fail. */
    @Test
    void figuresAreComplete() {
        assertThat(count(facts.csi(), "option ")).isEqualTo(7);
        assertThat(count(facts.csi(), "service ")).isEqualTo(5);
        assertThat(count(facts.csi(), "rpc ")).isEqualTo(36);
        assertThat(count(facts.csi(), "enum ")).isEqualTo(10);
        assertThat(count(facts.csi(), "message ")).isEqualTo(104);
        assertThat(facts.csi()).filteredOn(fact -> fact.contains("!secret")).hasSize(22);
        assertThat(count(facts.registration(), "message ")).isEqualTo(4);
        assertThat(count(facts.registration(), "rpc ")).isEqualTo(2);
    }

    @Test
    void rpcPathsAreThoseThatDriversServe() {
        assertThat(ControllerGrpc.getCreateVolumeMethod().getFullMethodName())
                .isEqualTo("csi.v1.Controller/CreateVolume");
        assertThat(ControllerGrpc.getControllerListVolumeHealthMethod().getFullMethodName())
                .isEqualTo("csi.v1.Controller/ControllerListVolumeHealth");
        assertThat(ControllerGrpc.getControllerGetVolumeHealthMethod().getFullMethodName())
                .isEqualTo("csi.v1.Controller/ControllerGetVolumeHealth");
        assertThat(NodeGrpc.getNodeGetVolumeHealthMethod().getFullMethodName())
                .isEqualTo("csi.v1.Node/NodeGetVolumeHealth");
        assertThat(NodeGrpc.getNodeGetStorageHealthMethod().getFullMethodName())
                .isEqualTo("csi.v1.Node/NodeGetStorageHealth");
        assertThat(CsiProto.getDescriptor().getPackage()).isEqualTo("csi.v1");
        assertThat(PluginRegistrationProto.getDescriptor().getPackage()).isEqualTo("pluginregistration");
    }

    /** No field has explicit presence that the wire does not give: a driver could not tell the difference, we could. */
    @Test
    void scalarsHaveNoPresenceOutsideOneofs() {
        assertThat(CsiProto.getDescriptor().getMessageTypes())
                .flatMap(type -> type.getFields())
                .filteredOn(field -> field.getJavaType() != FieldDescriptor.JavaType.MESSAGE && field.hasPresence())
                .isEmpty();
    }

    private static long count(SortedSet<String> facts, String kind) {
        return facts.stream().filter(fact -> fact.startsWith(kind)).count();
    }
}
