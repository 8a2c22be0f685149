package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.CLAIM;
import static io.volume4j.examples.agent.http.Answers.list;
import static io.volume4j.examples.agent.http.Answers.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings: their pages, kinds that a server does not have, and answers that are none. */
@Timeout(120)
class HttpListingTest extends HttpClusterBench {
    @Test
    void aListingIsPutTogetherFromItsPages() {
        server.answer(200, list("next page", CLAIM));
        server.answer(200, list("", CLAIM.replace("\"c\"", "\"d\"")));

        var listing = cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());

        assertThat(listing.objects()).extracting(each -> each.metadata().name()).containsExactly("c", "d");
        assertThat(listing.revision()).isEqualTo("9");
        assertThat(server.requests)
                .containsExactly(
                        "GET /api/v1/persistentvolumeclaims?limit=500",
                        "GET /api/v1/persistentvolumeclaims?limit=500&continue=next%20page");
    }

    @Test
    void aListingWhosePagesAreForgottenIsMadeAtOnce() {
        server.answer(200, list("next", CLAIM));
        server.answer(410, status(410, "Expired", ""));
        server.answer(200, list("", CLAIM, CLAIM.replace("\"c\"", "\"d\"")));

        assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).objects())
                .hasSize(2);
        assertThat(server.requests.get(2)).endsWith("limit=0");
    }

    @Test
    void anObjectWithAWordOfANewerVersionSpoilsNoList() {
        server.answer(200, list("", CLAIM, """
                {"metadata": {"name": "d", "namespace": "a", "uid": "u2", "resourceVersion": "8"},
                 "spec": {"accessModes": ["ReadWriteSometimes"], "volumeMode": "Tape"}, "status": {"phase": "Frozen"}}"""));

        assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).objects())
                .extracting(each -> each.metadata().name())
                .containsExactly("c", "d");
    }

    private static final String GROUPS = """
            {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
              {"name": "storage.k8s.io", "versions": [{"groupVersion": "storage.k8s.io/v1", "version": "v1"}]}%s]}""";

    private static final String SNAPSHOTS = """
            , {"name": "snapshot.storage.k8s.io", "versions": [
                 {"groupVersion": "snapshot.storage.k8s.io/v1", "version": "v1"}]}""";

    private static final String RESOURCES = """
            {"kind": "APIResourceList", "groupVersion": "snapshot.storage.k8s.io/v1", "resources": [{"name": "%s"}]}""";

    private static final String NO_PAGE = "404 page not found";

    @Test
    void whatTheServersDirectoryDoesNotShowIsAnEmptyList() throws InterruptedException {
        HttpCluster soon = cluster.with(500, Duration.ofMillis(1));
        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(""));

        var listing = soon.list(Kind.VOLUME_SNAPSHOT, Selection.all());

        assertThat(listing.objects()).isEmpty();
        assertThat(server.requests)
                .containsExactly("GET /apis/snapshot.storage.k8s.io/v1/volumesnapshots?limit=500", "GET /apis");
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        try (Watch watch = soon.watch(Kind.VOLUME_SNAPSHOT, Selection.all(), listing.revision(), events::add)) {
            assertThat(watch).isNotNull();
            assertThat(events.poll(1, TimeUnit.MINUTES))
                    .as("then it is looked for again")
                    .isEqualTo(WatchEvent.expired());
        }
        assertThat(server.requests).as("nothing is watched meanwhile").hasSize(2);

        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(SNAPSHOTS));
        server.answer(200, RESOURCES.formatted("volumesnapshotclasses"));
        assertThat(soon.list(Kind.VOLUME_SNAPSHOT, Selection.all()).objects()).isEmpty();
        assertThat(server.requests.get(4)).isEqualTo("GET /apis/snapshot.storage.k8s.io/v1");
    }

    private static final String GROUP_SNAPSHOTS = """
            , {"name": "groupsnapshot.storage.k8s.io", "versions": [
                 {"groupVersion": "groupsnapshot.storage.k8s.io/%1$s", "version": "%1$s"}]}""";

    @Test
    void aKindIsReadAndWrittenInAVersionThatTheServerHas() {
        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(GROUP_SNAPSHOTS.formatted("v1beta1")));
        server.answer(
                200,
                RESOURCES
                        .formatted("volumegroupsnapshotcontents")
                        .replace("snapshot.storage.k8s.io/v1", "groupsnapshot.storage.k8s.io/v1beta1"));
        server.answer(200, """
                {"kind": "VolumeGroupSnapshotContentList", "apiVersion": "groupsnapshot.storage.k8s.io/v1beta1",
                 "metadata": {"resourceVersion": "9"}, "items": [
                   {"metadata": {"name": "g", "uid": "u", "resourceVersion": "7"},
                    "spec": {"volumeGroupSnapshotRef": {"namespace": "a", "name": "g", "uid": "u1"}, "deletionPolicy": "Delete",
                             "driver": "mem", "source": {"volumeHandles": ["v1"]}},
                    "status": {"volumeSnapshotHandlePairList": [{"volumeHandle": "v1", "snapshotHandle": "h1"}]}}]}""");

        var content = (VolumeGroupSnapshotContent) cluster.list(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, Selection.all())
                .objects()
                .get(0);

        assertThat(content.apiVersion()).isEqualTo("groupsnapshot.storage.k8s.io/v1beta1");
        assertThat(content.status().members())
                .containsExactly(new VolumeGroupSnapshotContent.Member("v1", "h1", null, null, false));
        refusal(() -> cluster.delete(content.key(), Preconditions.none()));
        assertThat(server.requests)
                .element(4, InstanceOfAssertFactories.STRING)
                .startsWith("DELETE /apis/groupsnapshot.storage.k8s.io/v1beta1/volumegroupsnapshotcontents/g");
    }

    /** The part of the control plane that provisions reads attribute classes by name, and lists none. */
    @Test
    void aKindThatIsNeverListedIsReadInAVersionThatTheServerHas() {
        ObjectKey key = new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", "gold");
        server.answer(404, NO_PAGE);
        server.answer(200, """
                {"kind": "APIGroupList", "apiVersion": "v1", "groups": [{"name": "storage.k8s.io", "versions": [
                  {"groupVersion": "storage.k8s.io/v1", "version": "v1"},
                  {"groupVersion": "storage.k8s.io/v1beta1", "version": "v1beta1"}]}]}""");
        server.answer(
                200,
                RESOURCES
                        .formatted("volumeattributesclasses")
                        .replace("snapshot.storage.k8s.io/v1", "storage.k8s.io/v1beta1"));
        server.answer(200, """
                {"kind": "VolumeAttributesClass", "apiVersion": "storage.k8s.io/v1beta1", "driverName": "mem",
                 "parameters": {"iops": "9"}, "metadata": {"name": "gold", "uid": "u", "resourceVersion": "7"}}""");

        assertThat(((VolumeAttributesClass) cluster.readLive(key).orElseThrow()).parameters())
                .containsExactly(Map.entry("iops", "9"));

        server.answer(404, """
                {"kind": "Status", "code": 404, "reason": "NotFound", "details": {"name": "gold"}}""");
        assertThat(cluster.readLive(key)).isEmpty();
        assertThat(server.requests)
                .containsExactly(
                        "GET /apis/storage.k8s.io/v1/volumeattributesclasses/gold",
                        "GET /apis",
                        "GET /apis/storage.k8s.io/v1beta1",
                        "GET /apis/storage.k8s.io/v1beta1/volumeattributesclasses/gold",
                        "GET /apis/storage.k8s.io/v1beta1/volumeattributesclasses/gold");
    }

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource({
        "VOLUME_ATTRIBUTES_CLASS, storage.k8s.io/v1beta1,           volumeattributesclasses",
        "VOLUME_ATTRIBUTES_CLASS, storage.k8s.io/v1alpha1,          volumeattributesclasses",
        "REFERENCE_GRANT,         gateway.networking.k8s.io/v1,       referencegrants",
        "REFERENCE_GRANT,         gateway.networking.k8s.io/v1alpha2, referencegrants",
        "VOLUME_GROUP_SNAPSHOT,         groupsnapshot.storage.k8s.io/v1,      volumegroupsnapshots",
        "VOLUME_GROUP_SNAPSHOT,         groupsnapshot.storage.k8s.io/v1beta1, volumegroupsnapshots",
        "VOLUME_GROUP_SNAPSHOT_CLASS,   groupsnapshot.storage.k8s.io/v1,      volumegroupsnapshotclasses",
        "VOLUME_GROUP_SNAPSHOT_CLASS,   groupsnapshot.storage.k8s.io/v1beta1, volumegroupsnapshotclasses"
    })
    void everyVersionThatIsKnownIsFoundByTheServersDirectory(Kind kind, String version, String plural) {
        String group = version.substring(0, version.indexOf('/'));
        server.answer(404, NO_PAGE);
        server.answer(200, """
                {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
                  {"name": "%s", "versions": [{"groupVersion": "%s", "version": "x"}]}]}""".formatted(group, version));
        server.answer(200, RESOURCES.formatted(plural).replace("snapshot.storage.k8s.io/v1", version));
        server.answer(200, """
                {"kind": "%sList", "apiVersion": "%s", "metadata": {"resourceVersion": "9"}, "items": [
                  {"metadata": {"name": "x", "uid": "u", "resourceVersion": "7"%s}, "driverName": "mem", "driver": "mem",
                   "deletionPolicy": "Delete", "spec": {"from": [], "to": [], "source": {"volumeGroupSnapshotContentName": "c"}}}]}""".formatted(kind.apiName(), version, kind.namespaced() ? ", \"namespace\": \"a\"" : ""));

        ApiObject found = cluster.list(kind, Selection.all()).objects().get(0);

        assertThat(found.kind()).isEqualTo(kind);
        assertThat(found.metadata().name()).isEqualTo("x");
        refusal(() -> cluster.delete(found.key(), Preconditions.none()));
        assertThat(server.requests)
                .element(4, InstanceOfAssertFactories.STRING)
                .startsWith("DELETE /apis/" + version + "/")
                .contains("/x");
    }

    @Test
    void aKindThatTheServerHasOnlyInVersionsThatAreNotKnownIsNotAbsent() {
        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(GROUP_SNAPSHOTS.formatted("v2")));
        server.answer(
                200,
                RESOURCES
                        .formatted("volumegroupsnapshots")
                        .replace("snapshot.storage.k8s.io/v1", "groupsnapshot.storage.k8s.io/v2"));

        assertThat(refusal(() -> cluster.list(Kind.VOLUME_GROUP_SNAPSHOT, Selection.all()))
                        .getMessage())
                .contains("only in groupsnapshot.storage.k8s.io/v2", "known is groupsnapshot.storage.k8s.io/v1beta2");
    }

    @Test
    void aKindIsNotMissingBecauseItsPathIs() {
        for (String[] answers : new String[][] {
            {},
            {NO_PAGE},
            {"{}"},
            {"{\"kind\": \"APIGroupList\", \"groups\": []}"},
            {GROUPS.formatted(SNAPSHOTS)},
            {GROUPS.formatted(SNAPSHOTS), "{}"},
            {GROUPS.formatted(SNAPSHOTS), RESOURCES.formatted("volumesnapshots")},
        }) {
            server.forgetAnswers();
            server.answer(404, NO_PAGE);
            for (String answer : answers) {
                server.answer(200, answer);
            }
            assertThat(refusal(() -> cluster.list(Kind.VOLUME_SNAPSHOT, Selection.all()))
                            .reason())
                    .as("%s", List.of(answers))
                    .isEqualTo(Reason.UNAVAILABLE);
        }
        for (Kind needed : List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.STORAGE_CLASS, Kind.VOLUME_ATTACHMENT)) {
            server.forgetAnswers();
            server.answer(404, NO_PAGE);
            server.answer(200, GROUPS.formatted(""));
            assertThat(refusal(() -> cluster.list(needed, Selection.all())).reason())
                    .isEqualTo(Reason.UNAVAILABLE);
        }
    }

    @Test
    void aKindThatWasThereDoesNotGo() {
        server.answer(200, list("", "").replace("PersistentVolumeClaim", "VolumeSnapshot"));
        assertThat(cluster.list(Kind.VOLUME_SNAPSHOT, Selection.all()).objects())
                .isEmpty();
        server.answer(404, NO_PAGE);
        server.answer(200, GROUPS.formatted(""));

        assertThat(refusal(() -> cluster.list(Kind.VOLUME_SNAPSHOT, Selection.all()))
                        .reason())
                .isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void aListingWhosePageFailsFails() {
        server.answer(200, list("next", CLAIM));
        server.answer(500, "");

        assertThat(refusal(() -> cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()))
                        .reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(2);
    }

    /** Absence is what things are taken down for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "<html>please log in</html>",
                "",
                "{\"kind\": \"Status\", \"metadata\": {\"resourceVersion\": \"9\"}}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {}, \"items\": []}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": \"none\"}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [null]}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [{}]}",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [{\"metadata\":",
                "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\"}, \"items\": "
                        + "[{\"metadata\": {\"name\": \"c\", \"namespace\": \"d\", \"uid\": \"u\", \"resourceVersion\": \"1\"}, "
                        + "\"spec\": {\"accessModes\": \"Whatever\"}}]}"
            })
    void whatIsNoListIsNotAnEmptyOne(String answer) {
        server.answer(200, answer);

        ClusterException refused = refusal(() -> cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()));

        assertThat(refused.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(refused.getMessage()).startsWith("list PersistentVolumeClaim");
    }
}
