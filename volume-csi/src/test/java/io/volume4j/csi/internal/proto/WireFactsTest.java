package io.volume4j.csi.internal.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.volume4j.csi.internal.proto.registration.PluginRegistrationProto;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

/** Our schema says neither more nor less than the figures, and the figures are all there. */
class WireFactsTest {

    private final WireFacts facts = WireFacts.read();

    @Test
    void schemaEqualsTheFigures() {
        assertThat(SchemaFacts.of(CsiProto.getDescriptor())).isEqualTo(facts.csi());
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
        assertThat(count(facts.csi(), "rpc ")).isEqualTo(32);
        assertThat(count(facts.csi(), "enum ")).isEqualTo(8);
        assertThat(count(facts.csi(), "message ")).isEqualTo(94);
        assertThat(facts.csi()).filteredOn(fact -> fact.contains("!secret")).hasSize(19);
        assertThat(count(facts.registration(), "message ")).isEqualTo(4);
        assertThat(count(facts.registration(), "rpc ")).isEqualTo(2);
    }

    @Test
    void rpcPathsAreThoseThatDriversServe() {
        assertThat(ControllerGrpc.getCreateVolumeMethod().getFullMethodName())
                .isEqualTo("csi.v1.Controller/CreateVolume");
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
