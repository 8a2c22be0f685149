package io.volume4j.core.control.binding.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that is repeated after a crash asks for the same places, whatever the snapshot says by then. */
class IntentPlacesTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIntentKeepsFromWhereTheSourceCanBeUsed(boolean everywhere) {
        Places places = everywhere ? Places.everywhere() : new Places(List.of(Map.of("zone", "a")));
        ProvisioningIntent intent = new ProvisioningIntent(
                1,
                "p-1",
                false,
                "d.example.com",
                "pvc-1",
                5,
                "n1",
                new ProvisioningIntent.ClassContent("fast", "u-fast", Map.of(), List.of(), ReclaimPolicy.DELETE, null),
                new ContentSource(ContentSource.Kind.SNAPSHOT, "s-1", places),
                ProvisioningIntent.Attributes.none());

        assertThat(IntentText.read(IntentText.write(intent))).isEqualTo(intent);
        assertThat(IntentText.write(intent).contains("places")).isEqualTo(!everywhere);
    }
}
