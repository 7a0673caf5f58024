// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {OperatorHistory} from "./OperatorHistory.sol";
import {PolicyConfig} from "./Types.sol";

/// Reads in one call, hence at one block, all that a task needs to know of its client. It is never
/// deployed: its code travels with the `eth_call`.
contract ContextReader {
    /// A read of `target` failed: there is no contract, or it reverted, or it is of another kind.
    error ReadFailed(address target, string read, bytes reason);

    struct PolicyDataContext {
        address policyDataAddress;
        string wasmCid;
        string secretsSchemaCid;
        uint32 expireAfter;
        string version;
        address[] attesters;
    }

    struct ClientContext {
        uint256 blockNumber;
        uint256 chainId;
        address owner;
        address taskManager;
        address policyAddress;
        bytes32 policyId;
        PolicyConfig policyConfig;
        string entrypoint;
        string policyCid;
        string schemaCid;
        string metadataCid;
        string version;
        PolicyDataContext[] policyData;
    }

    /// What `read` says, and the operators of the given quorums at the same block, as the registry
    /// encodes them: one journey to the node for all that a task needs.
    function readTask(address client, address registry, bytes calldata quorumNumbers)
        external
        view
        returns (ClientContext memory context, bytes memory operatorSet)
    {
        context = read(client);
        bytes memory data = abi.encodeCall(OperatorHistory.getOperatorSet, (quorumNumbers, uint32(block.number)));
        operatorSet = _call(registry, data, "getOperatorSet(bytes,uint32)");
    }

    function read(address client) public view returns (ClientContext memory context) {
        context.blockNumber = block.number;
        context.chainId = block.chainid;
        context.owner = abi.decode(_get(client, "getOwner()"), (address));
        context.taskManager = abi.decode(_get(client, "getTaskManager()"), (address));
        context.policyAddress = abi.decode(_get(client, "getPolicyAddress()"), (address));
        context.policyId = abi.decode(_get(client, "getPolicyId()"), (bytes32));
        context.policyConfig = abi.decode(_get(client, "getPolicyConfig()"), (PolicyConfig));
        address policy = context.policyAddress;
        context.entrypoint = abi.decode(_get(policy, "getEntrypoint()"), (string));
        context.policyCid = abi.decode(_get(policy, "getPolicyCid()"), (string));
        context.schemaCid = abi.decode(_get(policy, "getSchemaCid()"), (string));
        context.metadataCid = abi.decode(_get(policy, "getMetadataCid()"), (string));
        context.version = abi.decode(_get(policy, "version()"), (string));
        address[] memory sources = abi.decode(_get(policy, "getPolicyData()"), (address[]));
        context.policyData = new PolicyDataContext[](sources.length);
        for (uint256 i = 0; i < sources.length; i++) context.policyData[i] = readPolicyData(sources[i]);
    }

    function readPolicyData(address source) public view returns (PolicyDataContext memory context) {
        context.policyDataAddress = source;
        context.wasmCid = abi.decode(_get(source, "getWasmCid()"), (string));
        context.secretsSchemaCid = abi.decode(_get(source, "getSecretsSchemaCid()"), (string));
        context.expireAfter = abi.decode(_get(source, "getExpireAfter()"), (uint32));
        context.version = abi.decode(_get(source, "version()"), (string));
        context.attesters = abi.decode(_get(source, "getAttesters()"), (address[]));
    }

    function _get(address target, string memory signature) private view returns (bytes memory) {
        return _call(target, abi.encodeWithSignature(signature), signature);
    }

    function _call(address target, bytes memory data, string memory signature) private view returns (bytes memory) {
        (bool ok, bytes memory out) = target.staticcall(data);
        if (!ok || out.length < 32) revert ReadFailed(target, signature, ok ? bytes("") : out);
        return out;
    }
}
