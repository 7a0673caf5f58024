// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract SampleToken is ERC20 {
    constructor(address holder, uint256 supply) ERC20("Sample Token", "SAMPLE") {
        _mint(holder, supply);
    }
}
