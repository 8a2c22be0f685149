package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The manifests that people deploy the agents with. */
class DeployTest {
    private static final Path DEPLOY = Path.of(
                    Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"))
            .resolve("examples/agent/deploy");

    private static Map<?, ?> template(String file) throws Exception {
        Map<?, ?> workload = new Yaml().load(Files.readString(DEPLOY.resolve(file)));
        return map(map(map(workload, "spec"), "template"), "spec");
    }

    private static Map<?, ?> map(Map<?, ?> from, String field) {
        return (Map<?, ?>) Objects.requireNonNull(from.get(field), field);
    }

    private static List<?> list(Map<?, ?> from, String field) {
        return (List<?>) Objects.requireNonNull(from.get(field), field);
    }

    private static Map<?, ?> agent(Map<?, ?> template) {
        return list(template, "containers").stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> String.valueOf(each.get("image")).startsWith("volume4j-agent:"))
                .findFirst()
                .orElseThrow();
    }

    /** Outside of a pod the right words lead to the complaint that this is none. */
    @ParameterizedTest
    @ValueSource(strings = {"controllers.yaml", "sidecars.yaml", "node.yaml"})
    void startWithWordsThatTheProgramKnows(String file) throws Exception {
        Map<?, ?> agent = agent(template(file));
        List<String> words = new ArrayList<>();
        list(agent, "command").forEach(word -> words.add(String.valueOf(word)));
        // the kubelet fills in variables
        list(agent, "args").forEach(word -> words.add(String.valueOf(word).replace("$(NODE_NAME)", "worker-1")));
        assertThat(words.subList(0, 3)).containsExactly("java", "-jar", "/agent.jar");

        Programs.Finished finished = Programs.run(words.subList(3, words.size()).toArray(new String[0]));

        assertThat(finished.err()).contains("KUBERNETES_SERVICE_HOST is not set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"controllers.yaml", "sidecars.yaml", "node.yaml"})
    void runAsAUserThatAnotherManifestMakes(String file) throws Exception {
        String account = String.valueOf(template(file).get("serviceAccountName"));
        assertThat(DEPLOY.resolve("rbac-" + account.replace("volume4j-", "") + ".yaml"))
                .content()
                .contains("kind: ServiceAccount\nmetadata: {name: " + account + ", namespace: kube-system}");
    }

    @Test
    void whatTheNodeAgentMountsIsSeenOutside() throws Exception {
        Map<?, ?> agent = agent(template("node.yaml"));
        List<?> args = list(agent, "args");
        Object root = args.get(args.indexOf("--root") + 1);
        assertThat(list(agent, "volumeMounts"))
                .anySatisfy(mount -> assertThat((Map<?, ?>) mount)
                        .isEqualTo(Map.of("name", "root", "mountPath", root, "mountPropagation", "Bidirectional")));
        assertThat(map(agent, "securityContext")).isEqualTo(Map.of("privileged", true));
    }
}
